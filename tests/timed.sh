#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# timed.sh COMMAND...: runs a test, and says behind it what it took of the processors, in a comment of TAP that
# scripts/lib/count_tests.py reads. Ends as the test does, by a signal too.
# Tests read what sort, sed, gdb and others print; in another locale a to z leaves letters out. The program under test has
# none.
export LC_ALL=C
TIMEFORMAT='# processor time %U + %S s'
time "$@"
status=$?
if [ $status -gt 128 ] && [ $status -lt 160 ]; then kill -$((status - 128)) $$; fi
exit $status
