# SPDX-License-Identifier: Apache-2.0
#
# tanglefuzz-device: a program of its own for machines with a GPU, from the Vulkan files of runners/ and what these
# need. It is also all that is built with TANGLEFUZZ_DEVICE_ONLY, by compilers for other systems: so its sources are
# listed, and it links no other library.
set(device_runners crash_runtime link_frames output result timeout wire wire_job wire_result
    vk_device vk_features vk_graphics vk_image vk_image_fill vk_image_make vk_instance vk_module vk_nir vk_pipeline vk_run
    vk_stage vk_text)
set(device_spirv case_find draw groups image_forms local_size module module_blocks needs ops quads spirv_stage writer)
set(device_base arena check text version)
if(WIN32)
    set(device_system device/system_windows.c)
else()
    set(device_system device/system_posix.c)
    list(APPEND device_runners contain crash_walk signal_name vk_loader vk_print)
    list(APPEND device_base file)
endif()
list(TRANSFORM device_runners REPLACE "(.+)" "runners/\\1.c")
list(TRANSFORM device_spirv REPLACE "(.+)" "spirv/\\1.c")
list(TRANSFORM device_base REPLACE "(.+)" "base/\\1.c")

add_executable(tanglefuzz-device device/device.c device/device_serve.c device/device_stubs.c ${device_system}
    ${device_runners} ${device_spirv} ${device_base} "${dep_volk_source_INCLUDE}/volk.c")
set_source_files_properties("${dep_volk_source_INCLUDE}/volk.c" PROPERTIES COMPILE_OPTIONS -w)
target_include_directories(tanglefuzz-device PRIVATE "${CMAKE_SOURCE_DIR}" runners spirv base backends backends/isa
    "${CMAKE_BINARY_DIR}/version")
target_compile_definitions(tanglefuzz-device PRIVATE "TANGLEFUZZ_VERSION=\"${PROJECT_VERSION}\"")
target_compile_options(tanglefuzz-device PRIVATE ${TANGLEFUZZ_WARNINGS})
target_link_libraries(tanglefuzz-device PRIVATE dep_volk_source dep_vulkan_headers dep_spirv_headers
    ${CMAKE_DL_LIBS} Threads::Threads m)
add_dependencies(tanglefuzz-device version)
if(WIN32)
    target_compile_definitions(tanglefuzz-device PRIVATE __USE_MINGW_ANSI_STDIO=1 _WIN32_WINNT=0x0601)
    target_compile_options(tanglefuzz-device PRIVATE -Wno-format) # takes printf for Windows's own
    target_link_options(tanglefuzz-device PRIVATE -static)
endif()
