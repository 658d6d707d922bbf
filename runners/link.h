// SPDX-License-Identifier: Apache-2.0
//
// The protocol of a device program (device/): frames of wire.h over two byte streams, everything
// inline. Numbers are little-endian. Private to runners/ and device/.
//
//   device program                                    tanglefuzz (link_relay.c)
//   FRAME_GREET  version, layout, texts
//                                                     FRAME_OPEN  token, silence, options
//   FRAME_READY  run_info, or FRAME_REFUSED  text
//                                                     FRAME_JOB   number, first case, job; many
//                                                     ahead
//   FRAME_START  number
//   FRAME_RESULT number, case, result                 for each case, in order
//   FRAME_DONE   number, seconds
//   FRAME_ALIVE  contain_processors                   at any time; without one for `silence`
//                                                     seconds the link is lost
//   FRAME_ENDED  number of a signal or status, text,
//                the stack                            last: the driver ended the process
//
// After a hang or a lost device, the device program ends: that result is its last frame.
#ifndef TF_RUNNERS_LINK_H
#define TF_RUNNERS_LINK_H

#include "contain.h"
#include "wire.h"

enum {
    LINK_VERSION = 3,
    LINK_TEXT = 200, // bytes of a text in FRAME_GREET and FRAME_ENDED
    LINK_FRAMES = 32,
    LINK_MODULE = 64,
    LINK_FUNCTION = 400,
};

struct link_greeting {
    uint32_t version, layout; // LINK_VERSION, link_layout
    char program[LINK_TEXT];  // version of the program
    char system[LINK_TEXT];   // "Linux, x86-64"
};
// A number that differs if the two sides lay out their frames differently, or know different
// features.
uint32_t link_layout(void);
void put_greeting(struct wire_buf *b, const char *system);
// False, with a line, if the frame is not the greeting of a device program that this program can
// use.
bool get_greeting(struct frame *f, struct link_greeting *out, struct err *e);

// What FRAME_OPEN says.
struct link_open {
    char token[LINK_TEXT];
    double silence; // seconds; it sends FRAME_ALIVE four times as often
    struct run_options options;
};
void put_open(struct wire_buf *b, const struct link_open *o);
bool get_open(struct frame *f, struct link_open *out);

// The functions on the stack of the process with the driver as it crashed, innermost first.
struct link_stack {
    uint32_t count; // 0: not known
    struct link_frame {
        char module[LINK_MODULE];     // file name, without its folder
        char function[LINK_FUNCTION]; // as a debugger prints it; "": not known
        uint64_t start, at;           // offsets in the module, as in struct crash_place
    } frame[LINK_FRAMES];
};

// How the process with the driver ended.
struct link_ended {
    uint32_t crashed; // it died of `code`: a signal, or an exception of Windows; else it exited
    uint32_t code;
    char text[LINK_TEXT]; // "died of SIGSEGV", one line
    struct link_stack stack;
};
void put_ended(struct wire_buf *b, const struct link_ended *x);
bool get_ended(struct frame *f, struct link_ended *out);
// The stack as gdb prints it, a line each, so that a crash elsewhere has the bucket of the same
// crash here. NULL: not known.
const char *link_stack_text(struct arena *a, const struct link_stack *s);

// What FRAME_ALIVE says: the CPU time of the process with the driver. A job's time limit excludes
// what that process lacked (timeout.h).
void put_alive(struct wire_buf *b, struct contain_processors has);
bool get_alive(struct frame *f, struct contain_processors *out);

#endif
