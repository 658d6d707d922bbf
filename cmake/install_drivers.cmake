# SPDX-License-Identifier: Apache-2.0
#
# cmake -D share=DIR -P: makes DIR/drivers and DIR/layers relocatable. They contain absolute paths of the build folder.
# In `env`, `prefix` and `device` these become {data}, which the program replaces (runners/vk_backend.c); in the manifests of
# drivers and layers they become relative paths, which Vulkan's loader resolves from the manifest.
function(rewrite to)
    foreach(file ${ARGN})
        file(READ "${file}" before)
        string(REGEX REPLACE "/[^\n:=\"]*/(drivers|layers|roots|tools)/" "${to}/\\1/" after "${before}")
        if(NOT after STREQUAL before)
            file(WRITE "${file}" "${after}")
        endif()
    endforeach()
endfunction()

file(GLOB words "${share}/drivers/*/env" "${share}/drivers/*/prefix" "${share}/drivers/*/device" "${share}/layers/*/env"
    "${share}/layers/*/prefix")
file(GLOB manifests "${share}/drivers/*/icd.json")
file(GLOB layers "${share}/layers/*/layers/*.json" "${share}/drivers/*/layers/*.json")
rewrite("{data}" ${words})
rewrite("../.." ${manifests})
rewrite("../../.." ${layers})
