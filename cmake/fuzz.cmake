# SPDX-License-Identifier: Apache-2.0
#
# The fuzz targets, selftest/fuzz/tf_*_fuzzer.c. With TANGLEFUZZ_FUZZ each becomes a program for the engine
# that TANGLEFUZZ_FUZZ_ENGINE links (libFuzzer's flag, or a farm's library). With tests each becomes
# tf_*_replay, which runs files without an engine, whatever the compiler.

file(GLOB fuzz_shared CONFIGURE_DEPENDS selftest/fuzz/*.c)
list(FILTER fuzz_shared EXCLUDE REGEX "_fuzzer\\.c$|/(replay|mutator|seeds|sanitizer)\\.c$")
add_library(tf_fuzz STATIC EXCLUDE_FROM_ALL ${fuzz_shared})
get_property(names GLOBAL PROPERTY ROOM_NAMES)
room_borders(tf_fuzz ${names})
target_include_directories(tf_fuzz PRIVATE "${CMAKE_SOURCE_DIR}")
target_compile_options(tf_fuzz PRIVATE ${TANGLEFUZZ_WARNINGS})
target_link_libraries(tf_fuzz PUBLIC tf_diagnose tf_judge tf_generator tf_runners)

# -DTANGLEFUZZ_PLANT=MUTANT puts a wrong transformation in the place of one pass: the fuzzer must
# find it (docs/fuzzing.md).
set(TANGLEFUZZ_PLANT "" CACHE STRING "A mutant to plant in the optimiser's place of --if-conversion")
if(TANGLEFUZZ_PLANT)
    target_compile_definitions(tf_fuzz PRIVATE "FZ_PLANT=\"${TANGLEFUZZ_PLANT}\""
                                               "FZ_PLANT_AT=\"--if-conversion\"")
    target_link_libraries(tf_fuzz PUBLIC tf_mutants)
endif()

# What these compare is not in the bytes: hooks at comparisons would cost a tenth of the time and steer nothing.
if(TANGLEFUZZ_FUZZ AND CMAKE_C_COMPILER_ID MATCHES Clang)
    foreach(room tf_grow tf_emit tf_tree tf_generator tf_oracle tf_judge tf_diagnose tf_report)
        target_compile_options(${room} PRIVATE -fno-sanitize-coverage=trace-cmp)
    endforeach()
endif()

# Those whose bytes are choices get the mutator that knows their parts.
set(fuzz_on_choices tf_spirv_opt_fuzzer tf_oracle_agreement_fuzzer tf_roundtrip_fuzzer
                    tf_vulkan_fuzzer)

add_custom_target(tf_fuzzers)
file(GLOB fuzzers CONFIGURE_DEPENDS selftest/fuzz/tf_*_fuzzer.c)
foreach(source ${fuzzers})
    cmake_path(GET source STEM name)
    if(TANGLEFUZZ_FUZZ)
        room_guest(${name} ${source})
        target_link_libraries(${name} PRIVATE tf_fuzz)
        target_sources(${name} PRIVATE selftest/fuzz/sanitizer.c)
        if(name IN_LIST fuzz_on_choices)
            target_sources(${name} PRIVATE selftest/fuzz/mutator.c)
            room_guest(${name}_plain ${source}) # the engine's own mutations alone, to measure by
            target_link_libraries(${name}_plain PRIVATE tf_fuzz)
            target_sources(${name}_plain PRIVATE selftest/fuzz/sanitizer.c)
            set_target_properties(${name}_plain PROPERTIES EXCLUDE_FROM_ALL ON)
        endif()
        separate_arguments(engine UNIX_COMMAND "${TANGLEFUZZ_FUZZ_ENGINE}")
        target_link_options(${name} PRIVATE ${engine})
        if(TARGET ${name}_plain)
            target_link_options(${name}_plain PRIVATE ${engine})
        endif()
        add_dependencies(tf_fuzzers ${name})
    endif()
    if(BUILD_TESTING)
        string(REPLACE "_fuzzer" "_replay" plain ${name})
        room_guest(${plain} ${source})
        target_sources(${plain} PRIVATE selftest/fuzz/replay.c)
        target_link_libraries(${plain} PRIVATE tf_fuzz)
    endif()
endforeach()

if(BUILD_TESTING OR TANGLEFUZZ_FUZZ)
    room_guest(tf_seeds selftest/fuzz/seeds.c)
    target_link_libraries(tf_seeds PRIVATE tf_fuzz)
endif()
