# SPDX-License-Identifier: Apache-2.0
#
# Compiler options of all targets.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# CHECK stays in every build, so a release needs debug information too.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g")
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()

set(TANGLEFUZZ_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes
                        -Wmissing-prototypes -Wvla)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    # Messages are truncated to their buffers on purpose.
    list(APPEND TANGLEFUZZ_WARNINGS -Wno-format-truncation)
endif()
if(TANGLEFUZZ_WERROR)
    list(APPEND TANGLEFUZZ_WARNINGS -Werror)
endif()

# a * b + c is rounded twice, as two instructions of SPIR-V are. Clang makes one of them where the processor can.
add_compile_options(-ffp-contract=off)

if(TANGLEFUZZ_FUZZ AND TANGLEFUZZ_FUZZ_ENGINE STREQUAL "-fsanitize=fuzzer")
    if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
        message(FATAL_ERROR "libFuzzer needs clang: scripts/setup.sh --with-fuzzers, "
                            "then cmake --preset fuzz")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link) # a farm sets its own in CFLAGS
endif()
set(sanitize ${TANGLEFUZZ_SANITIZE})
if(sanitize)
    add_compile_options(-fsanitize=${sanitize} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${sanitize})
endif()
if(TANGLEFUZZ_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()
if(TANGLEFUZZ_TINY)
    add_compile_definitions(TANGLEFUZZ_TINY)
endif()
