# SPDX-License-Identifier: Apache-2.0
#
# The fuzz targets, selftest/fuzz/tf_*_fuzzer.c. With TANGLEFUZZ_FUZZ each becomes a program for the engine
# that TANGLEFUZZ_FUZZ_ENGINE links (libFuzzer's flag, or a farm's library). With tests each becomes
# tf_*_replay, which runs files without an engine, with any compiler.

file(GLOB fuzz_shared CONFIGURE_DEPENDS selftest/fuzz/*.c)
list(FILTER fuzz_shared EXCLUDE REGEX "_fuzzer\\.c$|/(replay|mutator|seeds|sanitizer)\\.c$")
add_library(tf_fuzz STATIC EXCLUDE_FROM_ALL ${fuzz_shared})
get_property(names GLOBAL PROPERTY ROOM_NAMES)
room_borders(tf_fuzz ${names})
target_include_directories(tf_fuzz PRIVATE "${CMAKE_SOURCE_DIR}")
target_compile_options(tf_fuzz PRIVATE ${TANGLEFUZZ_WARNINGS})
target_link_libraries(tf_fuzz PUBLIC tf_diagnose tf_judge tf_generator tf_runners)

# -DTANGLEFUZZ_PLANT=MUTANT replaces one pass by a wrong transformation that the fuzzer must
# find (docs/fuzzing.md).
set(TANGLEFUZZ_PLANT "" CACHE STRING "Mutant that replaces the optimiser's --if-conversion")
if(TANGLEFUZZ_PLANT)
    target_compile_definitions(tf_fuzz PRIVATE "FZ_PLANT=\"${TANGLEFUZZ_PLANT}\""
                                               "FZ_PLANT_AT=\"--if-conversion\"")
    target_link_libraries(tf_fuzz PUBLIC tf_mutants)
endif()

# These rooms compare values that are not in the input: hooks at their comparisons would cost a tenth of the time for nothing.
if(TANGLEFUZZ_FUZZ AND CMAKE_C_COMPILER_ID MATCHES Clang)
    foreach(room tf_grow tf_emit tf_tree tf_generator tf_oracle tf_judge tf_diagnose tf_report)
        target_compile_options(${room} PRIVATE -fno-sanitize-coverage=trace-cmp)
    endforeach()
endif()

# Targets whose bytes are choices get the mutator that knows the structure of choices.
set(fuzz_on_choices tf_spirv_opt_fuzzer tf_oracle_agreement_fuzzer tf_roundtrip_fuzzer
                    tf_vulkan_fuzzer)

# Targets that need few rooms link these alone, so that building them does not compile the others.
set(rooms_of_tf_case_reader_fuzzer spirv)
set(rooms_of_tf_module_reader_fuzzer spirv)
set(rooms_of_tf_llir_fuzzer llir isa generator)
set(rooms_of_tf_amd_fuzzer amd generator)
set(rooms_of_tf_nir_fuzzer nir generator)
set(rooms_of_tf_nak_fuzzer nak generator)
set(rooms_of_tf_ir3_fuzzer ir3 generator)
set(rooms_of_tf_relay_fuzzer runners generator)
set(rooms_of_tf_serve_fuzzer runners generator)

# For a target that includes a file of device/: the private headers of runners/, as device.cmake has them.
function(of_device target)
    target_include_directories(${target} PRIVATE runners spirv base backends backends/isa)
    target_link_libraries(${target} PRIVATE dep_volk_source dep_vulkan_headers)
endfunction()

add_custom_target(tf_fuzzers)
file(GLOB fuzzers CONFIGURE_DEPENDS selftest/fuzz/tf_*_fuzzer.c)
foreach(source ${fuzzers})
    cmake_path(GET source STEM name)
    if(TANGLEFUZZ_FUZZ)
        if(DEFINED rooms_of_${name})
            room_guest(${name} ${source} LINKS_ROOMS ${rooms_of_${name}})
            if(name STREQUAL tf_relay_fuzzer)
                target_sources(${name} PRIVATE selftest/fuzz/link.c)
            endif()
            if(name MATCHES "llir|amd|nir|nak|ir3")
                target_sources(${name} PRIVATE selftest/fuzz/machine.c)
            endif()
        else()
            room_guest(${name} ${source})
            target_link_libraries(${name} PRIVATE tf_fuzz)
        endif()
        target_sources(${name} PRIVATE selftest/fuzz/sanitizer.c)
        if(name STREQUAL tf_serve_fuzzer)
            of_device(${name})
        endif()
        if(name IN_LIST fuzz_on_choices)
            target_sources(${name} PRIVATE selftest/fuzz/mutator.c)
            room_guest(${name}_plain ${source}) # only the engine's mutations, for comparison
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
        if(name STREQUAL tf_serve_fuzzer)
            of_device(${plain})
        endif()
    endif()
endforeach()

if(BUILD_TESTING OR TANGLEFUZZ_FUZZ)
    room_guest(tf_seeds selftest/fuzz/seeds.c)
    target_link_libraries(tf_seeds PRIVATE tf_fuzz)
endif()
