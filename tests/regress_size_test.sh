#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A case of corpus/regress is as small as its bug lets it be: at most one loop, one branch and two group operations, in at
# most 72 instructions, unless it is listed here with what it needs.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"

limits() { # CASE: instructions, loops, branches, group operations
    case $1 in
    lavapipe-25.0-llvm15-regalloc-crash) echo 99 2 2 2 ;;            # values enough to run out of registers
    lavapipe-25.0-derivative-behind-a-loop-T16) echo 82 1 1 0 ;;     # a second way out of the loop
    lavapipe-25.0-place-lost-behind-loops) echo 84 2 2 0 ;;          # a loop on the way out of a loop
    lavapipe-26.1-pointer-out-of-endless-loop-crash) echo 68 2 1 0 ;; # a loop in a loop that has no end
    llvm-23-break-path-holds-loop-*) echo 72 2 1 1 ;;                # a loop on the way out of a loop
    llvm-23-loop-left-by-return-T13 | llvm-23-return-in-nested-loops-T13) echo 77 2 1 1 ;; # a return in nested loops
    llvm-23-return-leaves-two-loops-crash) echo 72 2 2 0 ;;          # a way out of both of two nested loops, and one more
    llvm-amdgpu-23-token-phi-crash) echo 56 2 0 1 ;;                 # a return in nested loops
    llvm-23-masked-counter-i2) echo 58 2 0 0 ;;                      # the counter of an inner loop
    naga-switch-labels-share-a-block-invalid) echo 36 0 2 0 ;;       # a switch that a case ends in
    spirv-opt-loop-unswitch-workgroup-uniform-T2) echo 72 1 2 1 ;;   # an iteration that is uniform, and one that is not
    spirv-opt-merge-blocks-continue-construct-invalid) echo 47 2 0 0 ;; # a loop in a continue construct
    spirv-opt-loop-unswitch-unreached-merge-crash) echo 64 1 2 1 ;;  # a branch to switch on, and a way to return
    spirv-opt-volatile-helper-invocation-merged | lavapipe-26.2-helper* | lavapipe-26.2-store-*) echo 145 1 2 7 ;; # the log of a fragment shader's invocations
    lavapipe-26.2-demoted-leave-ballots | lavapipe-26.2-scan-of-*) echo 125 0 2 5 ;; # the same
    mesa-26.2-store-before-demote-lost) echo 112 0 2 4 ;;           # the log of a fragment shader's invocations
    anv-26.2-compare-clobbers-*) echo 102 0 1 6 ;;                    # the log of a fragment shader's invocations
    mesa-26.2-continue-in-three-switches) echo 58 1 4 0 ;;          # three switches in a loop
    pocl-6.0-ballot-after-a-loop-*) echo 72 1 1 3 ;;                  # a ballot in a loop, one before and one after it
    powervr-26.2-shuffle-after-another-arm-*) echo 72 0 1 3 ;;        # a sum between two shuffles
    pocl-6.0-ballots-of-a-switch-crash) echo 72 0 2 5 ;;              # a ballot in each of four cases, one before
    radv-26.2-cluster-of-*) echo 81 1 1 2 ;;                         # a constant that loops hide for a while
    radv-26.2-copy-of-scc-*) echo 74 1 1 1 ;;                        # a loop with three ways out
    swiftshader-demoted-in-a-loop-stores | swiftshader-volatile-*) echo 135 1 2 5 ;;         # the same
    *) echo 72 1 1 2 ;;
    esac
}
count() { grep -cE "^ *(%[^ ]+ += )?$1" "$2" || true; }
for file in "$SOURCE_DIR"/corpus/regress/*.spvasm; do
    name=$(basename "$file" .spvasm)
    read -r instructions loops branches operations < <(limits "$name")
    problem=
    for row in "instructions $instructions Op" "loops $loops OpLoopMerge" "branches $branches OpSelectionMerge" \
        "group-operations $operations OpGroupNonUniform"; do
        read -r what limit pattern <<<"$row"
        n=$(count "$pattern" "$file")
        [ "$n" -le "$limit" ] || problem+="$n $what, $limit at most; "
    done
    [ "$(count Op "$file")" -gt 10 ] || problem+="no assembly is seen"
    report "$name" "$problem"
done
