# SPDX-License-Identifier: Apache-2.0
#
# Files that `cmake --install` puts below a prefix. The prefix can be moved: the program finds its drivers
# relative to itself (runners/places.c), and their paths are rewritten to be relative.
include(GNUInstallDirs)
set(share "${CMAKE_INSTALL_DATADIR}/tanglefuzz")

install(TARGETS tanglefuzz tanglefuzz-device)
install(FILES docs/tanglefuzz.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES LICENSE README.md DESTINATION "${share}")
install(FILES docs/rules.md docs/known.md docs/case-format.md docs/targets.md
    docs/protocol.md DESTINATION "${share}/docs")
install(DIRECTORY corpus examples DESTINATION "${share}" USE_SOURCE_PERMISSIONS)

# The program prints its own completion scripts.
foreach(row bash:bash-completion/completions/tanglefuzz zsh:zsh/site-functions/_tanglefuzz
        fish:fish/vendor_completions.d/tanglefuzz.fish)
    string(REPLACE ":" ";" row ${row})
    list(GET row 0 shell)
    list(GET row 1 path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path FILENAME name)
    set(made "${CMAKE_BINARY_DIR}/completion/${shell}")
    install(CODE "file(MAKE_DIRECTORY \"${CMAKE_BINARY_DIR}/completion\")
        execute_process(COMMAND \"$<TARGET_FILE:tanglefuzz>\" completion ${shell}
            OUTPUT_FILE \"${made}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES "${made}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}" RENAME "${name}")
endforeach()

option(TANGLEFUZZ_INSTALL_DRIVERS "Install the drivers fetched by scripts/setup.sh" ON)
if(TANGLEFUZZ_INSTALL_DRIVERS)
    foreach(folder drivers layers roots tools)
        install(DIRECTORY "${TANGLEFUZZ_DEPS}/${folder}" DESTINATION "${share}" OPTIONAL
            USE_SOURCE_PERMISSIONS PATTERN ".*" EXCLUDE)
    endforeach()
    install(CODE "set(share \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${share}\")")
    install(SCRIPT cmake/install_drivers.cmake)
endif()
