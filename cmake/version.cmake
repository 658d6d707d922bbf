# SPDX-License-Identifier: Apache-2.0
#
# cmake -D SOURCE=DIR -D OUT=FILE -P version.cmake: writes the header FILE, which defines TANGLEFUZZ_COMMIT: the commit
# of DIR ("c27591b"; "c27591b+" with uncommitted changes; "" if not known). Written
# only when it changes, to avoid needless builds.
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty=+ --abbrev=12 --exclude=*
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT EXISTS "${SOURCE}/.git")
    set(commit "")
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define TANGLEFUZZ_COMMIT \"${commit}\"\n")
