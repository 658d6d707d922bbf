// SPDX-License-Identifier: Apache-2.0
//
// What tanglefuzz-device needs of the system: two byte streams, and a process for the driver. One
// file for each system: system_posix.c, system_windows.c. Clocks are base's now_seconds and
// cpu_seconds.
#ifndef TF_DEVICE_SYSTEM_H
#define TF_DEVICE_SYSTEM_H

#include "link.h"

// Describes the system and the processor, "Linux, x86-64".
const char *system_name(void);
// Starts a process for the driver and returns in it, with standard input and output as streams.
// What the driver prints on standard output goes to standard error. The first process stays, and
// when the driver ends the other one, it sends FRAME_ENDED and exits. False, with a line, if no
// process can be started.
bool system_start(int argc, char **argv, struct err *e);
// Waits for connections to a port of this address, and returns, as system_start does, in a process
// for each one. False, with a line, if the port cannot be used.
bool system_listen(const char *address, uint32_t port, struct err *e);
// Waits for bytes and returns their number; 0 at the end of the stream.
size_t system_read(void *v, size_t size);
// Writes all bytes. False if the other side is gone.
bool system_write(const void *v, size_t size);
// Ends the process at once, whatever its other threads do.
TF_NORETURN void system_leave(int status);
void system_sleep(double seconds);

#endif
