#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A finding of each mutant, reduced to its end: at most one loop, one selection and two group
# operations but where the fault needs two selections, and a bound on the instructions in functions,
# a fifth above what it came to when this was written. In the default tier one mutant, and whether each has its row.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"
. "$(dirname "${BASH_SOURCE[0]}")/reduce_lib.sh"
CASES=60000 # the rarest are found once in some hundreds
images=sample,sample-lod,image-index,image-nonuniform,storage-image

bounds() {
    bound duplicate-into-arms 20 0 1 1
    bound duplicate-into-cases 15 0 1 2
    bound duplicate-into-exits 35 1 0 1
    bound duplicate-into-continues 30 1 0 1
    bound tail-merge-arms 30 0 1 2
    bound hoist-common-op 30 0 1 2
    bound hoist-out-of-arm 20 0 1 1
    bound hoist-out-of-case 20 0 1 1
    bound hoist-out-of-loop 35 1 1 1
    bound sink-into-arm 20 0 1 1
    bound sink-into-case 20 0 1 1
    bound sink-into-loop 30 1 0 1
    bound sink-out-of-loop 35 1 0 1
    bound reuse-in-branch 20 0 1 2
    bound reuse-in-loop 35 1 0 2
    bound reuse-behind 20 0 1 2
    bound partial-redundancy 20 0 1 2
    bound break-block-into-merge 35 1 1 1
    bound break-block-behind-flag 35 1 1 1
    bound unswitch-loop 35 1 1 1
    bound unswitch-by-parameter 46 1 1 1
    bound unroll-with-remainder 35 1 0 1
    bound thread-jump 25 0 2 1 # two selections by one condition
    bound fold-sum-of-uniform 10 0 0 1
    bound fold-scan-of-uniform 20 0 1 1
    bound fold-xor-of-uniform 10 0 0 1
    bound fold-ballot-of-true 10 0 0 1
    bound fold-elect 35 1 1 1
    bound fold-vote 15 0 0 1
    bound uniform-branch 30 0 2 1 # the divergent one, and one that shows it
    bound uniform-switch 30 0 2 1 # the switch, and who comes to it
    bound uniform-values 25 0 1 1
    bound uniform-after-loop 35 1 1 1
    bound switch-continue-is-break 30 1 1 1
    bound loop-break-leaves-switch 35 1 1 1
    bound fall-through-lost 25 0 1 1
    bound last-case-is-default 20 0 1 1 "" "" 3000000
    bound loop-value-lost 30 1 0 1
    bound shuffles-share-scratch 15 0 0 2
    bound barrier-left-out 20 0 0 1
    bound workgroup-is-first 15 0 0 1
    bound split-after-call 30 0 1 1
    bound split-at-continue 30 1 0 1
    bound split-at-merge 20 0 1 1
    bound split-after-loop 30 1 0 1
    bound loop-ends-with-first 35 1 1 1
    bound phis-in-order 35 1 0 1
    bound broken-lanes-stay 35 1 1 1
    bound continued-lanes-stay 35 1 1 1
    bound returned-lanes-stay 20 0 1 1
    bound other-arm-stays 25 0 1 1
    bound done-arm-stays 20 0 1 1
    bound switch-mask-ignored 20 0 1 1
    bound inactive-in-ballot 20 0 1 1
    bound missing-in-ballot 10 0 0 1
    bound inactive-in-partition 16 0 1 2
    bound missing-in-cluster 9 0 0 1
    bound parts-are-whole 11 0 0 2
    bound inactive-in-vote 20 0 1 1
    bound inactive-in-reduce 30 1 1 1
    bound inactive-in-scan 35 1 1 1
    bound upper-half-lost 15 0 0 1
    bound scan-includes-self 10 0 0 1
    bound scan-leaves-self-out 10 0 0 1
    bound count-includes-self 10 0 0 2
    bound highest-for-lowest 15 0 0 2
    bound cluster-is-whole 15 0 0 1
    bound cluster-of-half 15 0 0 1
    bound first-is-lane-zero 40 1 1 1
    bound elects-lane-zero 35 1 1 1
    bound elects-last 15 0 0 1
    bound shuffle-by-first-index 10 0 0 1
    bound shuffle-in-row 10 0 0 1
    bound broadcast-is-first 10 0 0 1
    bound rotate-back 10 0 0 1
    bound quad-swap-mixed 10 0 0 1
    bound inactive-in-quad 20 0 1 1
    bound sign-lost 20 0 0 1
    bound one-component 15 0 0 1
    bound derivative-axes-mixed 12 0 0 1 derivative
    bound derivative-backwards 12 0 0 1 derivative
    bound duplicate-derivative-into-arms 15 0 1 1 derivative
    bound duplicate-derivative-into-exits 30 1 0 1 derivative
    bound fine-derivative-is-coarse 15 0 0 1 derivative
    bound quad-broadcast-is-first 11 0 0 1 derivative
    bound quads-of-indices 15 0 0 1 derivative
    bound sink-derivative-into-arm 20 0 1 1 derivative
    bound sink-derivative-into-case 20 0 1 1 derivative
    bound sink-derivative-into-loop 35 1 0 1 derivative
    bound width-is-a-sum 16 0 0 1 derivative
    bound hoist-out-of-rest 21 0 1 2
    bound joined-constants-are-first 25 0 1 1
    bound latch-after-stores 25 1 0 0
    bound load-is-scalar 12 0 0 0 "" "" 3000000
    bound missing-half-in-ballot 10 0 0 1
    bound narrowed-sum 13 0 0 1
    bound return-block-behind-loop 30 1 1 2
    bound subgroup-is-first 16 0 0 1
    bound undefined-is-uniform 23 0 2 2
    bound upper-ballot-lost 10 0 0 1
    bound upper-bit-lost 11 0 0 2
    bound upper-broadcast-lost 10 0 0 1
    bound upper-cluster-lost 10 0 0 1
    bound upper-count-lost 10 0 0 2
    bound upper-down-lost 10 0 0 1
    bound upper-elect-lost 10 0 0 1
    bound upper-find-lost 10 0 0 2
    bound upper-first-lost 30 0 2 1 "" "" 3000000
    bound upper-inverse-lost 11 0 0 2
    bound upper-rotate-lost 11 0 0 1
    bound upper-scan-lost 10 0 0 1
    bound upper-shuffle-lost 10 0 0 1
    bound upper-up-lost 10 0 0 1
    bound upper-vote-lost 17 0 1 1
    bound upper-xor-lost 10 0 0 1
    bound shared-memory-wraps 7 0 0 0 "" 129 # its memory has room for 128 invocations
    bound bias-lost 22 0 0 0 $images
    bound duplicate-sample-into-arms 21 0 1 0 $images
    bound duplicate-sample-into-exits 35 1 0 0 $images
    bound gradients-lost 26 0 0 1 $images
    bound implicit-level-zero 26 0 0 1 $images
    bound index-is-first 18 0 0 0 $images
    bound level-lost 18 0 0 0 $images
    bound nonuniform-lost 12 0 0 0 $images
    bound sampler-is-first 20 0 0 0 $images
    bound samples-flattened 42 0 1 0 $images
    bound sink-sample-into-arm 26 0 1 0 $images
    bound sink-sample-into-case 24 0 1 0 $images
    bound sink-sample-into-loop 33 1 0 0 $images
    bound texel-kept 14 0 0 0 $images
}
if short; then bound fold-ballot-of-true 10 0 0 1; else bounds; fi
# A new mutant wants its row.
# Those that fragments tell (T19, T20) are not reduced here.
"$TF" mutants --list | awk '/^[a-z]/ && !/T19|T20/ { print $1 }' | sort >there
declare -f bounds | awk '$1 == "bound" { print $2 }' | sort >rows
report every_mutant "$(diff there rows)"
