#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Help, usage, exit status: every command and option is in its help and in the man
# page; bad usage gives status 2 and one line.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
man=$SOURCE_DIR/docs/tanglefuzz.1
man_page=$(<"$man")

t help 0 '^usage: tanglefuzz COMMAND' '' "$TF" --help
t help_word 0 '^usage: tanglefuzz COMMAND' '' "$TF" help
t help_of_a_command 0 '^usage: tanglefuzz gen' '' "$TF" help gen
t version_letter 0 '^tanglefuzz [0-9]+\.[0-9]+\.[0-9]+ ' '' "$TF" -V
t help_of_help 0 '^usage: tanglefuzz COMMAND' '' "$TF" help --help
t help_of_the_hidden_one 0 '^usage: tanglefuzz worker' '' "$TF" help worker
# The build asks git for its commit; an archive, or a machine without git, has none.
commit='[0-9a-f]{7,40}\+? '
[ -e "$SOURCE_DIR/.git" ] && command -v git >/dev/null || commit=
t version 0 "^tanglefuzz [0-9]+\.[0-9]+\.[0-9]+ $commit\\(generator [0-9]+, " '' "$TF" --version

commands=$("$TF" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
report all_commands_listed "$(for c in doctor targets gen predict check explain fuzz replay reduce stats mutants; do
    grep -qx "$c" <<<"$commands" || echo "$c is missing"
done)"
report tasks_in_their_order "$(diff <("$TF" --help | grep '^[a-z].*:$' | grep -v -e ^usage -e ^example) - <<END
find bugs, from nothing to a report:
look at one case or shader:
do more with findings and targets:
measure tanglefuzz itself:
END
)"
report six_to_begin_with "$(diff <(head -6 <<<"$commands") <(printf '%s\n' doctor targets fuzz replay reduce report))"
report the_laboratory_is_last "$(diff <(tail -2 <<<"$commands") <(printf '%s\n' stats mutants))"
report worker_is_hidden "$(grep -x worker <<<"$commands")"

below() { "$TF" "$1" --help | sed -n "s/^  \($1 [a-z]*\)  .*/\1/p"; } # the commands below one, "farm work"
report farm_has_commands_below "$(below farm | grep -qx 'farm work' || "$TF" farm --help)"
while read -r c; do
    read -ra words <<<"$c"
    [ "$c" != "${words[0]}" ] || t "help_word_$c" 0 "^usage: tanglefuzz $c" '' "$TF" help "$c"
    t "help_$c" 0 "^usage: tanglefuzz $c" '' "$TF" "${words[@]}" --help
    help=$(<out)
    report "help_${c}_has_an_example" "$([[ ${help#*$'\nexample:'} == *$'\n'"  tanglefuzz $c"* && $help == *$'\nexample:'* ]] || cat out)"
    report "help_${c}_fits_100_columns" "$(grep -E '^.{101,}' out)"
    report "man_page_has_$c" "$([[ $man_page == *$'\n'".SS $c"* ]] || echo "no section $c in the man page")"
    missing=
    for o in $(sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' out); do
        [[ $o = --help || $man_page == *"$o"* ]] || missing+="$o "
    done
    report "man_page_has_options_of_$c" "$missing"
done < <(printf '%s\n' $commands; below farm)
if command -v groff >/dev/null; then
    report man_page_is_clean "$(groff -man -Tutf8 -ww "$man" 2>&1 >/dev/null)"
fi

t no_command 2 '^  tanglefuzz doctor  +see what is here' '' "$TF"
cp out alone
report no_command_names_all "$(for c in $commands; do grep -qw "$c" alone || echo "$c is missing"; done)"
report no_command_is_short "$([ "$(wc -l <alone)" -le 16 ] || cat alone)"
bad pass_misspelt "did you mean '--loop-unswitch'" "$TF" fuzz --target spirv-opt:--loop-unswich
bad unknown_command "unknown command 'fuz'; did you mean 'fuzz'" "$TF" fuz
bad unknown_command_far "unknown command 'xyzzy' \(see" "$TF" xyzzy
bad help_of_an_unknown_command "unknown command 'fuz'; did you mean 'fuzz'" "$TF" help fuz
bad help_of_two "help: unexpected 'gen'" "$TF" help fuzz gen
bad unknown_option "unknown option '--taget'; did you mean '--target'" "$TF" fuzz --taget x
bad unknown_option_far "unknown option '--xyzzy' \(see tanglefuzz fuzz --help\)" "$TF" fuzz --xyzzy
bad unknown_letter "unknown option '-q'" "$TF" gen -q
bad value_missing '--target needs a value \(SPEC\)' "$TF" fuzz --target
bad letter_value_missing '-t needs a value' "$TF" fuzz -t
bad value_not_taken '--json takes no value' "$TF" fuzz --json=1
bad number_too_small "--jobs: '0' is not a number from 1 to 64" "$TF" fuzz --jobs=0
bad number_too_big "--jobs: '65' is not" "$TF" fuzz --jobs 65
bad number_not_one "--jobs: '2x' is not" "$TF" fuzz --jobs 2x
bad number_empty "--jobs: '' is not" "$TF" fuzz --jobs=
bad number_over_64_bits "--seed: '99999999999999999999' is not" "$TF" gen --seed 99999999999999999999
for time in 0 x 5d 1.2.3 -1 ''; do
    bad "time_'$time'" "--time: '$time' is not a time like" "$TF" fuzz --time="$time"
done
for seeds in 5:5 6:5 x 1:x : -1; do
    bad "seeds_$seeds" "--seeds: '$seeds' is not" "$TF" fuzz --target vulkan --seeds="$seeds"
done
bad seeds_and_cases 'choose one' "$TF" fuzz --target vulkan --seeds 0:2 --cases 2
bad check_is_no_target 'a target, not a case; .* use fuzz --target check:vulkan:driver=radv' "$TF" check vulkan:driver=radv
bad seeds_and_day 'choose one' "$TF" fuzz --target vulkan --seeds 0:2 --day today
bad bad_day "--day: '2026-13-01' is not a date like 2026-11-25, nor today" "$TF" fuzz --target vulkan --day 2026-13-01
t day_seeds 0 '"first_seed":202611250000000,"next_seed":202611250000003' '' "$TF" fuzz --target 'exec-compiler:cp {in} {out}' \
    --profile small --day 2026-11-25 --cases 3 --json --out day
bad no_target 'needs --target' "$TF" fuzz
bad unknown_kind_of_target "'toaster': no such kind of target \(.tanglefuzz targets. lists them\)" "$TF" fuzz --target toaster
bad unknown_kind_near "'spriv-opt': no such kind of target; did you mean 'spirv-opt'" "$TF" fuzz --target spriv-opt
report unknown_kind_is_short "$(awk 'length > 150' err)"
bad unknown_target_option "unknown option 'foo'" "$TF" fuzz --target vulkan:foo=1
bad missing_icd 'icd.json' "$TF" fuzz --target vulkan:icd=/nonexistent/icd.json
bad missing_driver "'nosuch'" "$TF" fuzz --target vulkan:driver=nosuch
bad profile "--profile: 'huge' is not one of" "$TF" gen --profile huge
bad model "--model: 'x' is not one of" "$TF" gen --model x
bad feature "--only: unknown feature 'foo'" "$TF" gen --only if,foo
bad no_feature_left 'leave no feature' "$TF" gen --only if --without if
bad subgroup_not_a_power '12 is not a power of two' "$TF" gen --subgroup 12
for c in check explain predict print reduce replay mutants stats survey; do
    bad "subgroup_not_a_power_$c" '12 is not a power of two' "$TF" $c --subgroup 12
done
bad report_form "--form: 'x' is not one of generic, mesa" "$TF" report x --bundle b --form x
bad report_format "--format: 'x' is not one of html, text" "$TF" report x --format x
bad word_is_not_a_part "--format: 'js' is not one of" "$TF" report x --format js
bad subgroup_too_big "--subgroup: '256' is not" "$TF" gen --subgroup 256
bad inputs_without_file 'name them with -o FILE' "$TF" gen --inputs 2
bad choices_not_hex 'not pairs of hexadecimal digits' "$TF" gen --choices 0g
bad choices_odd 'not pairs' "$TF" gen --choices 012
bad policy '--policy: the policy is "x", join, direct or split was expected' "$TF" predict x --policy x
bad fault "--fault: no fault is named 'x'" "$TF" predict "$SOURCE_DIR/corpus/regress/llvm-amdgpu-23-break-block-T1.spvasm" --fault x
bad too_many_words "unexpected 'b'" "$TF" predict a b
bad words_not_taken "unexpected 'a'" "$TF" gen a
bad no_words 'needs CASE\.\.\.' "$TF" check
bad replay_without_target 'x: No such file' "$TF" replay x
bad reduce_without_target 'x: No such file' "$TF" reduce x
bad reduce_stage "--stage: 'x' is not one of" "$TF" reduce x -t spirv-opt --stage x
bad worker_by_hand 'started by tanglefuzz itself' "$TF" worker
bad worker_bad_descriptor 'is not open' "$TF" worker --fd 77

t options_after_words 2 '' 'nosuch: No such file' "$TF" check nosuch --all
t dashes_end_options 2 '' '\-\-all: No such file' "$TF" check -- --all
t help_wins_over_the_rest 0 '^usage' '' "$TF" fuzz --jobs 0 --help
t equals_and_space_are_the_same 0 '^OpCapability|OpCapability' '' "$TF" gen --seed=3 --subgroup 8
cp out one
"$TF" gen --subgroup=8 -s3 >two
report letter_with_value_attached "$(cmp one two 2>&1)"

# ---- bad input: each has one line that says what, where and what to do
"$TF" gen --seed 3 --subgroup 8 -o piped.spvasm
t pipe_without_blanks 0 'agrees' '' "$TF" replay piped.spvasm --target 'spirv-opt:-O|spirv-opt:-Os'
bad pipe_and_no_target "'toaster': no such kind of target" "$TF" replay piped.spvasm --target 'spirv-opt|toaster'
bad pipe_at_the_end 'a stage is missing' "$TF" replay piped.spvasm --target 'spirv-opt|'
bad seeds_backwards "--seeds: '10:5' is not A:B with A less than B, nor A: or A" "$TF" fuzz --target spirv-opt --seeds 10:5
bad no_time "--job-time: '0' is not a time like 90, 90s, 10m or 2h, above 0" "$TF" fuzz --target spirv-opt --job-time 0
bad no_such_language "'cobol' is not a language that can be printed; use one of: .*glsl, wgsl" "$TF" print no.spvasm --as cobol
bad program_as_a_case '/bin/ls:1: not a case file: "; tanglefuzz-case 1" was expected' "$TF" replay /bin/ls --target spirv-opt
bad target_as_a_word "unexpected 'spirv-opt'; did you mean --target spirv-opt\?" "$TF" fuzz spirv-opt
bad farm_near "farm: unknown command 'statu'; did you mean 'status'\?" "$TF" farm statu
bad no_such_campaign 'nowhere: No such file or directory' "$TF" report nowhere
bad no_such_finding 'nowhere: No such file or directory' "$TF" replay nowhere
mkdir plain
bad plain_folder 'plain needs --target SPEC .*: it is a folder, but neither a finding.s with a target nor a campaign.s' "$TF" reduce plain
bad other_driver "spirv-opt: expected 'Mesa 99', but the driver is spirv-opt, SPIRV-Tools" \
    "$TF" fuzz --target spirv-opt --cases 1 --expect-driver 'Mesa 99' --out none
bad check_alone 'not a target of check: use check:vulkan.* or check:llvm' "$TF" fuzz --target check --cases 1 --out none
bad report_of_nothing 'none: No such file or directory' "$TF" report none
mkdir -p empty/findings locked/findings
t nothing_to_reduce 0 '^nothing to reduce: empty has no findings$' '' "$TF" reduce empty
if [ "$(id -u)" = 0 ] && chmod 711 "$work" && chmod 0 locked && setpriv --reuid 65534 --clear-groups test -x "$TF"; then
    bad locked_folder 'locked: cannot be read: Permission denied' setpriv --reuid 65534 --clear-groups "$TF" report locked
fi
