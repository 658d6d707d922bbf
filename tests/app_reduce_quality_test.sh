#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# How small reduced cases are: for a mutant of each bug class (and of each kind) a finding is
# reduced to its end, and what is left is held against a bound.
. "$(dirname "${BASH_SOURCE[0]}")/app_lib.sh"

. "$(dirname "${BASH_SOURCE[0]}")/reduce_lib.sh"

bound break-block-into-merge 35 1 1 1 # T1
bound unswitch-loop 40 1 2 1          # T2: the branch in the loop, and a way out of it
bound thread-jump 28 0 2 1            # T3: two selections by one condition
bound tail-merge-arms 30 0 1 2        # T4
bound duplicate-into-arms 25 0 1 1    # T5
bound sink-into-loop 35 1 1 1         # T7: the operation is used in a loop
bound uniform-after-loop 35 1 1 1     # T8
bound uniform-values 30 1 1 1         # T9
bound unroll-with-remainder 35 1 1 1  # T10
bound split-at-merge 28 0 1 1         # T11
bound fall-through-lost 25 0 1 1      # T12
bound fold-ballot-of-true 15 0 0 1    # T15
