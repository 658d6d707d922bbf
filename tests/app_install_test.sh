#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cmake --install: below a prefix that is moved afterwards, with the source tree and the build out of
# sight where a mount namespace can be had.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

t install 0 - '' cmake --install "$BUILD_DIR" --prefix "$work/before"
mv before moved
share=moved/share/tanglefuzz
report all_is_there "$(for f in moved/bin/tanglefuzz moved/share/man/man1/tanglefuzz.1 $share/LICENSE $share/docs/rules.md \
    $share/corpus/rules $share/examples/vulkan-device.c moved/share/bash-completion/completions/tanglefuzz \
    moved/share/zsh/site-functions/_tanglefuzz moved/share/fish/vendor_completions.d/tanglefuzz.fish; do
    [ -s "$f" ] || echo "no $f"
done)"
report names_no_folder_of_the_build "$(find $share -name env -o -name prefix -o -name '*.json' | grep -e drivers -e layers |
    xargs -r grep -l -e "$SOURCE_DIR" -e "$work" -e "/deps/")"

# away COMMAND...: with nothing at SOURCE_DIR, and no variable that leads there.
if unshare -rm true 2>/dev/null; then
    away() {
        env -u TANGLEFUZZ_DRIVERS -u TANGLEFUZZ_LLVM_DIR unshare -rm bash -c '
            mount -t tmpfs none "$0" && [ ! -e "$0/CMakeLists.txt" ] && exec "$@"' "$SOURCE_DIR" "$@"
    }
    hidden=yes
else
    away() { "$@"; }
    hidden=
fi
case $work/ in "$SOURCE_DIR"/*) skip away 'the temporary folder is inside of the source tree'; exit ;; esac
[ $hidden ] || skip source_tree_hidden 'no mount namespace: the installed drivers alone are checked'

moved=$PWD/moved
tf=$moved/bin/tanglefuzz
t away_gen 0 '^; tanglefuzz-case 1$' '' away "$tf" gen --seed 3 --subgroup 8
cp out case.spvasm
t away_predict 0 '^memory 0:' '' away "$tf" predict "$moved/../case.spvasm"
t away_check 0 ' passed, 0 failed$' '' away "$tf" check "$moved/share/tanglefuzz/corpus/rules"
t away_fuzz 0 '^  agreed       3$' - away "$tf" fuzz --target spirv-opt:--ccp --cases 3 --out "$work/campaign"
if have_lavapipe && [ -d $share/drivers/lavapipe ]; then
    t away_doctor 0 '^ready: tanglefuzz fuzz --target vulkan:driver=lavapipe' '' away "$tf" doctor
    t away_targets 0 "^  $LAVAPIPE\$" '' away "$tf" targets
    t away_replay 0 ': agrees' '' away "$tf" replay "$work/case.spvasm" --target $LAVAPIPE
    # The driver that is loaded is the installed one.
    mv $share/drivers elsewhere
    [ $hidden ] && bad away_without_drivers "no driver 'lavapipe'" away "$tf" replay "$work/case.spvasm" --target $LAVAPIPE
    t named_drivers 0 ': agrees' '' env TANGLEFUZZ_DRIVERS="$work/data/drivers" bash -c \
        'mkdir -p data && mv elsewhere data/drivers && exec "$@"' - "$tf" replay case.spvasm --target $LAVAPIPE
else
    skip away_doctor "no lavapipe: scripts/setup.sh gets it"
fi
