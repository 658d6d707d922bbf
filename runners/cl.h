// SPDX-License-Identifier: Apache-2.0
//
// The calls of OpenCL that the target `opencl` makes, from the machine's loader (libOpenCL.so.1).
// Declared here: a build does not need OpenCL's headers. Names and values are those of OpenCL 3.0.
#ifndef TF_RUNNERS_CL_H
#define TF_RUNNERS_CL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CL_DEVICE_TYPE_ALL = -1, // of 64 bits
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_DEVICE_NAME = 0x102b,
    CL_DRIVER_VERSION = 0x102d,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_SUB_GROUP_SIZES_INTEL = 0x4108,
    CL_PLATFORM_NAME = 0x902,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_COPY_HOST_PTR = 32,
    CL_DEVICE_NOT_FOUND = -1,
    CL_OUT_OF_RESOURCES = -5,
    CL_PLATFORM_NOT_FOUND_KHR = -1001,
};
typedef struct cl_object *cl_object; // of any kind

// X(name, its parameters)
// clang-format off
#define CL_CALLS(X)                                                                                \
    X(clGetPlatformIDs, int, (uint32_t n, cl_object *out, uint32_t *count))                        \
    X(clGetPlatformInfo, int, (cl_object p, uint32_t what, size_t n, void *out, size_t *size))     \
    X(clGetDeviceIDs, int,                                                                         \
      (cl_object p, uint64_t type, uint32_t n, cl_object *out, uint32_t *count))                   \
    X(clGetDeviceInfo, int, (cl_object d, uint32_t what, size_t n, void *out, size_t *size))       \
    X(clCreateContext, cl_object,                                                                  \
      (const intptr_t *p, uint32_t n, const cl_object *d, void *call, void *data, int *e))         \
    X(clCreateCommandQueueWithProperties, cl_object,                                               \
      (cl_object context, cl_object d, const uint64_t *p, int *e))                                 \
    X(clCreateProgramWithSource, cl_object,                                                        \
      (cl_object context, uint32_t n, const char **text, const size_t *size, int *e))              \
    X(clBuildProgram, int,                                                                         \
      (cl_object program, uint32_t n, const cl_object *d, const char *options, void *call,         \
       void *data))                                                                                \
    X(clGetProgramBuildInfo, int,                                                                  \
      (cl_object program, cl_object d, uint32_t what, size_t n, void *out, size_t *size))          \
    X(clCreateKernel, cl_object, (cl_object program, const char *name, int *e))                    \
    X(clCreateBuffer, cl_object,                                                                   \
      (cl_object context, uint64_t flags, size_t size, void *from, int *e))                        \
    X(clSetKernelArg, int, (cl_object kernel, uint32_t i, size_t size, const void *value))         \
    X(clEnqueueNDRangeKernel, int,                                                                 \
      (cl_object queue, cl_object kernel, uint32_t dimensions, const size_t *offset,               \
       const size_t *size, const size_t *local, uint32_t n, const cl_object *wait,                 \
       cl_object *event))                                                                          \
    X(clEnqueueReadBuffer, int,                                                                    \
      (cl_object queue, cl_object buffer, uint32_t wait_for_it, size_t at, size_t size, void *to,  \
       uint32_t n, const cl_object *wait, cl_object *event))                                       \
    X(clFinish, int, (cl_object queue))                                                            \
    X(clReleaseMemObject, int, (cl_object buffer))                                                 \
    X(clReleaseKernel, int, (cl_object kernel))                                                    \
    X(clReleaseProgram, int, (cl_object program))                                                  \
    X(clReleaseCommandQueue, int, (cl_object queue))                                               \
    X(clReleaseContext, int, (cl_object context))
// clang-format on

struct cl_calls {
#define X(name, type, parameters) type(*name) parameters;
    CL_CALLS(X)
#undef X
};

#endif
