#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Allocations and file operations fail, and the power: nothing is lost, nothing is half written, and the program says one
# line. A sample; scripts/inject.sh does all. INJECT_ARGS: other arguments of inject.py; JOURNAL_EVERY: of journal.py.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1

lib=$BUILD_DIR/libtf_faults.so
[ -e "$lib" ] || { skip inject "a build with sanitizers" && exit 0; }

python3 "$SOURCE_DIR/tests/faults/inject.py" "$TF" "$lib" "$work/inject" ${INJECT_ARGS-"--points" 10 "--seed" 1} >out 2>&1
report each_fault_is_survived "$([ $? = 0 ] && [ "$(grep -c ' 0 violations$' out)" = 4 ] || cat out)"
sed 's/^/# /' out
python3 "$SOURCE_DIR/tests/faults/journal.py" "$TF" "$lib" "$work/journal" --every "${JOURNAL_EVERY:-9}" >out 2>&1
report the_power_may_fail "$([ $? = 0 ] || cat out)"
sed 's/^/# /' out
