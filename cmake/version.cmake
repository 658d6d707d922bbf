# SPDX-License-Identifier: Apache-2.0
#
# cmake -D SOURCE=DIR -D OUT=FILE -P version.cmake: FILE is a header that defines TANGLEFUZZ_COMMIT, the commit
# of DIR ("c27591b", "c27591b+" with changes that are not committed, "" where nobody knows). Written
# only when it changes, so that nothing is built again without need.
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty=+ --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT EXISTS "${SOURCE}/.git")
    set(commit "")
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define TANGLEFUZZ_COMMIT \"${commit}\"\n")
