#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Drivers' folders: one with a loader of its own, one that only compiles; scripts/drivers.sh without a
# mirror. Nothing is downloaded.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
case=$SOURCE_DIR/corpus/rules/M3-loop-exit-joins-all-iterations.spvasm
drivers=${TANGLEFUZZ_DRIVERS-$DEPS_DIR/drivers}

if have_lavapipe; then
    mkdir -p mine/same mine/looks mine/broken
    cp "$drivers/lavapipe/env" mine/same/env
    loader=$(ldd "$TF" | grep -o '/[^ ]*/ld-linux[^ ]*' | head -n 1)
    libraries=$(sed -n 's/^LD_LIBRARY_PATH=//p' mine/same/env)
    printf '%s\n' "$loader" --library-path "$libraries" >mine/same/prefix
    cp mine/same/env mine/looks/env
    touch mine/looks/compile-only
    cp mine/same/env mine/broken/env
    echo "$work/no-such-loader" >mine/broken/prefix
    export TANGLEFUZZ_DRIVERS=$work/mine
    t own_loader 0 ': agrees: [1-9]' '' "$TF" replay "$case" --target vulkan:driver=same
    bad broken_loader 'cannot run .*no-such-loader' "$TF" replay "$case" --target vulkan:driver=broken
    bad only_compiles "'looks' only compiles here: use check:vulkan:driver=looks" \
        "$TF" replay "$case" --target vulkan:driver=looks
    t compiles 0 ': compiled' '' "$TF" replay "$case" --target check:vulkan:driver=looks
    t compiles_what_runs 0 ': compiled' '' "$TF" replay "$case" --target check:vulkan:driver=same
    t campaign_of_compiling 0 '^  compiled +10, and not run$' - \
        "$TF" fuzz --target check:vulkan:driver=looks --cases 10 --out out-check
    t listed_as_check 0 '^  check:vulkan:driver=looks$' '' "$TF" targets
    unset TANGLEFUZZ_DRIVERS
else
    skip own_loader "no lavapipe: scripts/setup.sh gets it"
fi
bad check_of_what 'not a target of check: use check:vulkan' "$TF" replay "$case" --target check:spirv-opt

# What drivers for hardware say of a shader, where they are here.
told=
export TANGLEFUZZ_DRIVERS=$drivers
for driver in radv:64:NIR nvk:32:NAK turnip:128:IR3; do
    IFS=: read -r name size word <<<"$driver"
    [ -e "$drivers/$name/env" ] || continue
    told=1
    "$TF" gen --seed 1 --profile small --subgroup $size --model assumed-maximal --only if,ballot -o $name.spvasm
    t tells_$name 0 "the driver's code: "$name.txt '' "$TF" replay $name.spvasm \
        --target check:vulkan:driver=$name --driver-text $name.txt
    report tells_${name}_code "$(grep -q "$word" $name.txt || head -n 5 $name.txt 2>&1)"
done
unset TANGLEFUZZ_DRIVERS
[ -n "$told" ] || skip tells 'target not here: radv, nvk or turnip, which scripts/drivers.sh gets'
bad driver_text_of_two '--driver-text is for one case on one target' "$TF" replay "$case" "$case" \
    --target spirv-opt:-O --driver-text x
t driver_text_of_a_compiler 0 'does not report its code' '' "$TF" replay "$case" --target spirv-opt:-O \
    --driver-text x

# scripts/drivers.sh with an apt that has nothing: one line, and no folder that looks finished.
mkdir -p bin build
cat >bin/apt-get <<'SH'
#!/bin/sh
case " $* " in
*indextargets*) echo "bookworm|main|http://mirror.invalid/debian/"; echo "trixie|main|http://mirror.invalid/debian/" ;;
*) echo "E: The repository has no Release file" >&2; exit 100 ;;
esac
SH
chmod +x bin/apt-get
get() { PATH=$work/bin:$PATH bash "$SOURCE_DIR/scripts/drivers.sh" --build-dir "$work/build" get "$@"; }
# radv-25.0 where sid's root is there already.
source_alone() {
    mkdir -p build/deps/roots/mesa-sid/usr/lib && : >build/deps/roots/mesa-sid/complete && : >build/deps/roots/mesa-sid/versions
    get radv-25.0
    local status=$?
    rm -rf build/deps/roots/mesa-sid
    return $status
}
if command -v dpkg-deb >/dev/null; then
    t no_such_suite 1 '' '^drivers: apt could not read sid from http://mirror.invalid/debian/ \(details: ' \
        get radv
    t no_source_suite 1 '' '^drivers: apt could not read trixie from http://mirror.invalid/debian/ \(details: ' \
        source_alone
    report nothing_half_made "$(ls build/deps/drivers build/deps/roots/mesa-sid build/deps/roots/mesa-source 2>/dev/null | grep -v :)"
else
    skip no_such_suite "not a Debian system"
fi
t no_such_driver 1 '' "unknown driver 'voodoo': one of: lavapipe validation" get voodoo
