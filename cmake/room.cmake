# SPDX-License-Identifier: Apache-2.0
#
# Rooms: one folder, one static library, one public header named after the folder, and further public headers if
# listed.
#
#   room(NAME [IN FOLDER] [HEADERS header...] [SHOWS room/header...] [USES room...] [LINKS library...]
#        [LINKS_PUBLIC library...])
#       library tf_NAME from FOLDER/NAME/*.c (NAME/*.c without IN); SHOWS: headers of rooms in its folder
#       that its own headers include; users of the room see them without naming those rooms
#   room_program(TARGET FOLDER [USES room...] [LINKS library...])
#       program from FOLDER/*.c, with the same borders
#   room_guest(TARGET SOURCE... [LINKS_ROOMS NAME...])
#       test or fuzz program: sees the public and private headers of every room; links all rooms, or those named
#
# The border: only a room's public headers are forwarded to ROOMS/NAME/NAME/, and only the forwarding
# folders of the rooms in USES are on the include path. So an include of
# any other room, or of another room's private header, does not compile.

set(ROOMS "${CMAKE_BINARY_DIR}/rooms")
set_property(GLOBAL PROPERTY ROOM_NAMES)

function(room name)
    cmake_parse_arguments(arg "" "IN" "HEADERS;SHOWS;USES;LINKS;LINKS_PUBLIC" ${ARGN})
    set(folder ${name})
    if(arg_IN)
        set(folder ${arg_IN}/${name})
    endif()
    set(faces ${name}.h ${arg_HEADERS})
    list(TRANSFORM faces PREPEND "${name}/")
    list(APPEND faces ${arg_SHOWS})
    # Remove stale headers; keep the others with their times, or everything would be compiled again.
    file(GLOB_RECURSE old RELATIVE "${ROOMS}/${name}" "${ROOMS}/${name}/*.h")
    list(REMOVE_ITEM old ${faces})
    list(TRANSFORM old PREPEND "${ROOMS}/${name}/")
    if(old)
        file(REMOVE ${old})
    endif()
    foreach(face ${faces})
        string(REGEX REPLACE "^${name}/" "" file "${face}")
        set(header "${CMAKE_SOURCE_DIR}/${folder}/${file}")
        if(NOT EXISTS "${header}")
            message(FATAL_ERROR "room ${name}: no public header ${folder}/${file}")
        endif()
        file(CONFIGURE OUTPUT "${ROOMS}/${name}/${face}" CONTENT "#include \"${header}\"\n")
    endforeach()
    file(CONFIGURE OUTPUT "${ROOMS}/${name}/folder" CONTENT "${folder}\n")
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.c")
    if(sources)
        add_library(tf_${name} STATIC ${sources})
        set(scope PUBLIC)
        target_link_libraries(tf_${name} PRIVATE ${arg_LINKS} PUBLIC ${arg_LINKS_PUBLIC})
        room_borders(tf_${name} ${name} ${arg_USES})
        target_compile_options(tf_${name} PRIVATE ${TANGLEFUZZ_WARNINGS})
    else()
        add_library(tf_${name} INTERFACE)
        set(scope INTERFACE)
        target_link_libraries(tf_${name} INTERFACE ${arg_LINKS} ${arg_LINKS_PUBLIC})
    endif()
    set_property(GLOBAL APPEND PROPERTY ROOM_NAMES ${name})
    list(TRANSFORM arg_USES PREPEND tf_)
    target_link_libraries(tf_${name} ${scope} ${arg_USES})
endfunction()

# room_borders(TARGET ROOM...): puts the public headers of these rooms, and no others, on the include path.
function(room_borders target)
    foreach(used ${ARGN})
        if(NOT EXISTS "${ROOMS}/${used}")
            message(FATAL_ERROR "${target} uses room ${used}, which is not declared before it")
        endif()
        target_include_directories(${target} PRIVATE "${ROOMS}/${used}")
    endforeach()
endfunction()

function(room_program target folder)
    cmake_parse_arguments(arg "" "" "USES;LINKS" ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${folder}/*.c")
    add_executable(${target} ${sources})
    room_borders(${target} ${arg_USES})
    target_compile_options(${target} PRIVATE ${TANGLEFUZZ_WARNINGS})
    list(TRANSFORM arg_USES PREPEND tf_)
    target_link_libraries(${target} PRIVATE ${arg_USES} ${arg_LINKS})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX) # SPIRV-Tools
endfunction()

function(room_guest target)
    cmake_parse_arguments(arg "" "" "LINKS_ROOMS" ${ARGN})
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
    get_property(names GLOBAL PROPERTY ROOM_NAMES)
    room_borders(${target} ${names})
    if(arg_LINKS_ROOMS)
        set(names ${arg_LINKS_ROOMS})
    endif()
    target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
    target_compile_options(${target} PRIVATE ${TANGLEFUZZ_WARNINGS})
    list(TRANSFORM names PREPEND tf_)
    target_link_libraries(${target} PRIVATE ${names})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
