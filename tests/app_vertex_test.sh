#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The vertex stage from end to end: programs are made, predicted, optimised, reduced and explained; where a device has no
# group operations in vertex shaders, that is said.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
. "$SOURCE_DIR/tests/regress_lib.sh" || exit 1

t machines_agree 0 '^mask machine and tag machine disagree on 0$' '' \
    "$TF" stats --stage vertex --all-models --cases 150 --keep "$BUILD_DIR/disagree"
t made 0 '' '' "$TF" gen --stage vertex --seed 5 --subgroup 8 -o case.spvasm
t spelled 0 '^; vertices [0-9]+$' '' cat case.spvasm
t predicted 0 '^memory 0:2 u32 [1-9]' '' "$TF" predict case.spvasm
t optimised 0 '^ *findings +0$' - "$TF" fuzz --stage vertex -t spirv-opt:-O --seeds 27:147 -o opt
t feature_of_another_stage 2 '' "'derivative' is not available in the vertex stage" \
    "$TF" gen --stage vertex --with derivative

# A wrong compiler is found, and its finding reduced to two vertices.
wrong=mutant:hoist-out-of-arm
t wrong 1 '^finding s000031-extra-lanes' - "$TF" fuzz --stage vertex -t $wrong --seeds 31:32 -o wrong
t reduced 0 - - "$TF" reduce wrong/findings/s000031-extra-lanes/case.spvasm --target $wrong -o small
t fewer_vertices 0 '^; vertices 2$' '' cat small/reduced.spvasm
t explained 0 '' '' "$TF" explain case.spvasm -o vertex.svg
report explained_says "$(grep -qE 'vertex shader, [0-9]+ vertices' vertex.svg && ! grep -q 'class="quad"' vertex.svg || cat vertex.svg)"

for driver in lavapipe swiftshader; do
    target=vulkan:driver=$driver
    if ! here "$target"; then
        skip "$driver" "target not here: $driver, which scripts/drivers.sh gets"
    elif [ $driver = lavapipe ]; then
        t lacks_group_operations 2 '' 'does not support vertex shaders with group operations, stores and atomics here' \
            "$TF" fuzz --stage vertex -t "$target" --seeds 0:1 -o lacks
    else
        # It promises no maximal reconvergence: after loops its results are leads.
        t runs 0 '^ *findings +0$' - "$TF" fuzz --stage vertex --model best -t "$target" --seeds 0:30 --without for,do-while,infinite,peel -o runs
    fi
done
