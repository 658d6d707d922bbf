#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# kill -9 of fuzz, reduce CAMPAIGN, merge and report at random moments: nothing is lost, and in the end it is the same as
# without. KILLS: how often each of them; SEED: which moments. scripts/kills.sh does it a hundred times.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

python3 "$SOURCE_DIR/tests/faults/kills.py" "$TF" "$work/kills" --kills "${KILLS:-3}" --seed "${SEED:-1}" >out 2>&1
report same_after_kills "$([ $? = 0 ] && [ "$(grep -c ' the same in the end$' out)" = 4 ] || cat out)"
sed 's/^/# /' out
