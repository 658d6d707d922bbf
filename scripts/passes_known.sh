#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The pass that `tanglefuzz bisect` names for each bug of corpus/regress whose target can be asked here.
# usage: scripts/passes_known.sh TANGLEFUZZ [PREFIX...]   (default: nvk turnip radv anv v3dv powervr mesa spirv-opt llvm)
# Prints one line for each: the case, its cause as its .toml has it, the pass or why there is none.
set -euo pipefail
tanglefuzz=$1
shift
[ $# -gt 0 ] || set -- nvk turnip radv anv v3dv powervr mesa spirv-opt llvm
for prefix; do
    for toml in corpus/regress/"$prefix"-*.toml; do
        target=$(sed -n 's/^target = "\(.*\)"/\1/p' "$toml" | head -1)
        root=$(sed -n 's/^root = "\(.*\)"/\1/p' "$toml")
        said=$("$tanglefuzz" bisect "${toml%.toml}.spvasm" --target "$target" 2>&1 || true)
        pass=$(sed -nE 's/^  pass    //p' <<<"$said" | head -1)
        if [ -z "$pass" ] && [[ $target =~ ^isa:llvm:cpu=(gfx[0-9a-f]*),.*level=([0-3]) && $said == *"'rejected' without any pass"* ]]; then
            pass=$(scripts/passes_llvm.py "$tanglefuzz" "${toml%.toml}.spvasm" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" || true)
        fi
        name=$(basename "$toml" .toml)
        printf '%-52s %-28s %s\n' "$name" "$root" "${pass:-no pass: $(head -1 <<<"$said" | sed -E 's/^.*spvasm: //' | cut -c1-120)}"
    done
done
