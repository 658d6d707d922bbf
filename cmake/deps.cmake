# SPDX-License-Identifier: Apache-2.0
#
# Finds the libraries, in this order: SPIRV_TOOLS_ROOT (if set), those fetched by scripts/setup.sh, those of the machine
# if new enough. Decides by the contents of headers, because these are what the build needs. Caches nothing, so that a later
# set-up takes effect.
#
# Defines dep_spirv_tools dep_spirv_headers dep_volk dep_xxhash dep_jansson dep_sqlite3 dep_cmocka, and
# SPIRV_GRAMMAR, the grammar JSON of the same SPIRV-Headers.

find_package(Threads REQUIRED)

set(dep_prefixes "${TANGLEFUZZ_DEPS}/spirv-tools/usr" "${TANGLEFUZZ_DEPS}/root/usr" ${CMAKE_PREFIX_PATH} /usr/local /usr)
if(SPIRV_TOOLS_ROOT)
    list(PREPEND dep_prefixes "${SPIRV_TOOLS_ROOT}")
elseif(TANGLEFUZZ_FUZZ)
    list(PREPEND dep_prefixes "${TANGLEFUZZ_DEPS}/instrumented") # setup.sh --instrumented
endif()
if(CMAKE_LIBRARY_ARCHITECTURE)
    set(dep_lib_folders lib/${CMAKE_LIBRARY_ARCHITECTURE} lib lib64)
else()
    set(dep_lib_folders lib lib64)
endif()

# dep_library(VAR PREFIX NAME): path of the library below the prefix, or empty. Prefers static ones, so that a
# copied program still works.
function(dep_library var prefix name)
    set(${var} "" PARENT_SCOPE)
    foreach(suffix .a .so .dylib)
        foreach(folder ${dep_lib_folders})
            if(EXISTS "${prefix}/${folder}/lib${name}${suffix}")
                set(${var} "${prefix}/${folder}/lib${name}${suffix}" PARENT_SCOPE)
                return()
            endif()
        endforeach()
    endforeach()
endfunction()

# dep(NAME HEADERS header... [HAS regex] [LIBRARIES name...] [ALSO folder]): creates interface library dep_NAME
# from the first prefix that has all headers in its include folder (or FOLDER in it), a line that matches HAS in the
# first header, and all libraries. Sets dep_NAME_PREFIX and dep_NAME_INCLUDE.
function(dep name)
    cmake_parse_arguments(arg "" "HAS;ALSO" "HEADERS;LIBRARIES" ${ARGN})
    list(GET arg_HEADERS 0 first)
    set(near "")
    set(includes "")
    foreach(prefix ${dep_prefixes})
        list(APPEND includes "${prefix}|${prefix}/include")
        if(arg_ALSO)
            list(APPEND includes "${prefix}|${prefix}/include/${arg_ALSO}")
        endif()
    endforeach()
    foreach(place ${includes})
        string(REGEX REPLACE "[|].*" "" prefix "${place}")
        string(REGEX REPLACE ".*[|]" "" include "${place}")
        if(NOT EXISTS "${include}/${first}")
            continue()
        endif()
        set(problem "")
        if(arg_HAS)
            file(STRINGS "${include}/${first}" found REGEX "${arg_HAS}" LIMIT_COUNT 1)
            if(NOT found)
                set(problem "too old (no ${arg_HAS})")
            endif()
        endif()
        foreach(header ${arg_HEADERS})
            if(NOT EXISTS "${include}/${header}")
                set(problem "without ${header}")
            endif()
        endforeach()
        set(libraries "")
        foreach(library ${arg_LIBRARIES})
            dep_library(path "${prefix}" ${library})
            if(NOT path)
                set(problem "without lib${library}")
            endif()
            list(APPEND libraries "${path}")
        endforeach()
        if(problem)
            string(APPEND near "; ${include}/${first} is ${problem}")
            continue()
        endif()
        add_library(dep_${name} INTERFACE)
        target_link_libraries(dep_${name} INTERFACE ${libraries})
        if(NOT include MATCHES "^/usr(/local)?/include$")
            target_include_directories(dep_${name} SYSTEM INTERFACE "${include}")
        endif()
        set(dep_${name}_PREFIX "${prefix}" PARENT_SCOPE)
        set(dep_${name}_INCLUDE "${include}" PARENT_SCOPE)
        return()
    endforeach()
    if(near)
        message(FATAL_ERROR "no usable ${name}${near}: run scripts/setup.sh")
    endif()
    string(REPLACE ";" ", " prefixes "${dep_prefixes}")
    message(FATAL_ERROR "no ${name}: include/${first} not found in ${prefixes}: run scripts/setup.sh, or "
        "set -DCMAKE_PREFIX_PATH= to the prefix that contains it")
endfunction()

if(NOT TANGLEFUZZ_DEVICE_ONLY)
    dep(spirv_tools HEADERS spirv-tools/libspirv.h HAS SPV_ENV_VULKAN_1_4
        LIBRARIES SPIRV-Tools-opt SPIRV-Tools)
endif()
dep(spirv_headers HEADERS spirv/unified1/spirv.h spirv/unified1/spirv.core.grammar.json
    HAS SpvCapabilityQuadControlKHR)
dep(vulkan_headers HEADERS vulkan/vulkan_core.h HAS VK_KHR_shader_maximal_reconvergence)
dep(volk_source HEADERS volk.h volk.c ALSO volk) # a Vulkan SDK has a subfolder
if(TANGLEFUZZ_DEVICE_ONLY)
    return() # headers are all that it needs
endif()
dep(xxhash HEADERS xxhash.h LIBRARIES xxhash)
dep(jansson HEADERS jansson.h LIBRARIES jansson)
dep(sqlite3 HEADERS sqlite3.h LIBRARIES sqlite3)
target_link_libraries(dep_sqlite3 INTERFACE m Threads::Threads ${CMAKE_DL_LIBS})

# PostgreSQL, only for `tanglefuzz farm`: without its header that command reports so. The library is
# loaded on demand, so that the program starts on machines without it.
add_library(dep_pq INTERFACE)
foreach(prefix ${dep_prefixes})
    foreach(include "${prefix}/include" "${prefix}/include/postgresql")
        if(EXISTS "${include}/libpq-fe.h" AND NOT dep_pq_INCLUDE)
            set(dep_pq_INCLUDE "${include}")
            target_include_directories(dep_pq SYSTEM INTERFACE "${include}")
            target_compile_definitions(dep_pq INTERFACE TANGLEFUZZ_LIBPQ)
        endif()
    endforeach()
endforeach()

if(SPIRV_TOOLS_ROOT AND NOT dep_spirv_tools_PREFIX STREQUAL SPIRV_TOOLS_ROOT)
    message(FATAL_ERROR "SPIRV_TOOLS_ROOT=${SPIRV_TOOLS_ROOT} has no SPIRV-Tools 2024.4 or newer "
                        "in include/ and lib/")
endif()
set(SPIRV_GRAMMAR "${dep_spirv_headers_PREFIX}/include/spirv/unified1/spirv.core.grammar.json")

# A SPIRV-Tools built on a newer libc refers to four functions that older ones lack.
include(CheckFunctionExists)
check_function_exists(__isoc23_strtol HAVE_ISOC23)
if(NOT HAVE_ISOC23)
    add_library(isoc23 STATIC "${CMAKE_SOURCE_DIR}/cmake/compat/isoc23.c")
    target_link_libraries(dep_spirv_tools INTERFACE isoc23)
endif()

add_library(dep_volk STATIC "${dep_volk_source_INCLUDE}/volk.c")
target_compile_options(dep_volk PRIVATE -w)
target_link_libraries(dep_volk PUBLIC dep_volk_source dep_vulkan_headers PRIVATE ${CMAKE_DL_LIBS})

if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    dep(cmocka HEADERS cmocka.h LIBRARIES cmocka)
endif()

message(STATUS "SPIRV-Tools: ${dep_spirv_tools_PREFIX}")
if(dep_pq_INCLUDE)
    message(STATUS "PostgreSQL: ${dep_pq_INCLUDE}")
else()
    message(STATUS "PostgreSQL: none (tanglefuzz farm needs libpq-dev)")
endif()
