# SPDX-License-Identifier: Apache-2.0
#
# embed_text(TARGET FILE NAME): adds a source to TARGET that defines `const char NAME[]`: the bytes of FILE and a NUL.
function(embed_text target file name)
    set(out "${CMAKE_BINARY_DIR}/embedded/${name}.c")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/${file}")
    file(READ "${CMAKE_SOURCE_DIR}/${file}" bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    file(CONFIGURE OUTPUT "${out}" @ONLY CONTENT
        "// Generated from ${file} by the build.\nextern const char ${name}[];\nconst char ${name}[] = {\n${bytes}0};\n")
    target_sources(${target} PRIVATE "${out}")
endfunction()
