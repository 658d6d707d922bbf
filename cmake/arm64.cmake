# SPDX-License-Identifier: Apache-2.0
#
# Toolchain: Linux on arm64, by Debian's gcc-aarch64-linux-gnu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
