#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Completion: bash is asked what it offers; zsh and fish read theirs, where they are.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

commands=$("$TF" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
declare -A options=()
for c in $commands; do options[$c]=$("$TF" "$c" --help | sed -n 's/^ *\(-., \)\{0,1\}--\([a-z-]*\).*/\2/p' | grep -vx help); done
for shell in bash zsh fish; do
    t "$shell" 0 'tanglefuzz' '' "$TF" completion $shell
    cp out $shell
    text=$(<$shell)
    report "${shell}_has_all" "$(for c in $commands; do
        [[ $text =~ (^|[^a-zA-Z0-9_])$c($|[^a-zA-Z0-9_]) ]] || echo "no command $c"
        for o in ${options[$c]}; do
            [[ $text =~ (--|-l\ )$o($|[^a-zA-Z0-9_]) ]] || echo "no option --$o of $c"
        done
    done; [ -n "$commands" ] && [ -n "${options[fuzz]}" ] || echo 'no command, or no option')"
    # The command `worker` is no user's. Texts in [] and after -d describe options, and may say the word.
    report "${shell}_hides_the_worker" "$(sed "s/\[[^]]*\]//g; s/ -d '.*//" $shell | grep -w worker)"
    if command -v $shell >/dev/null; then
        report "${shell}_reads_it" "$($shell -n $shell 2>&1)"
    else
        skip "${shell}_reads_it" "no $shell"
    fi
done
bad unknown_shell "'tcsh' is not one of bash, zsh, fish" "$TF" completion tcsh
bad no_shell 'needs SHELL' "$TF" completion

# offers NAME WANT WORD...: what bash offers for the last word, sorted, in one line.
offers() {
    local name=$1 want=$2
    shift 2
    report "offers_$name" "$(diff <(echo "$want") <(
        . ./bash
        COMP_WORDS=(tanglefuzz "$@") COMP_CWORD=$#
        _tanglefuzz
        printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ' | sed 's/ $/\n/'
    ))"
}
mkdir folder && touch folder.spvasm
offers commands 'fuzz' fu
offers help_of 'replay report' help rep
offers options '--target --targets' fuzz --ta
offers words 'default' fuzz --profile d
offers words_of_a_letter 'small' gen -p s
offers models_of_fuzz 'best' fuzz --model b
offers no_such_model_of_gen '' gen --model b
offers commands_below 'missing' farm mis
offers options_of_those_below '--expect-driver' farm work --exp
offers kinds 'spirv-opt' fuzz --target spirv-o
offers folders 'folder' fuzz --out fol
offers files 'folder folder.spvasm' predict fol
offers folder_as_word 'folder' report fol
offers after_an_option 'folder folder.spvasm' predict --bake fol
offers nothing_for_a_number '' fuzz --cases ''
