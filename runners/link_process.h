// SPDX-License-Identifier: Apache-2.0
//
// The two byte streams to a device program: a command's standard input and output, or a connection.
// Private to runners/.
#ifndef TF_RUNNERS_LINK_PROCESS_H
#define TF_RUNNERS_LINK_PROCESS_H

#include "link.h"
#include "output.h"

#include <sys/types.h>

struct link_process {
    pid_t pid;         // of the command; 0: none, or a connection
    int to, from, err; // non-blocking; -1: none. `to` and `from` are the same for a connection
    struct wire_buf in, out;
    struct output output; // what the command printed on standard error
};

// "tcp=HOST:PORT"; NULL: the words are a command.
const char *link_address(char *const *words);
// Starts the command, or connects. False with a line.
bool link_start(struct link_process *p, char *const *words, struct err *e);
// Sends as much of p->out as can be without waiting. False if the link is gone.
bool link_send(struct link_process *p);
// Reads what is there, at most a few MiB, so that an endless stream is looked at as it comes. False
// at the end of the link; p->in then has its last bytes.
bool link_receive(struct link_process *p);
// Reads the output that is there.
void link_listen(struct link_process *p);
// Ends the link. `how` receives one line: how the command ended, with the reason from its output.
void link_stop(struct link_process *p, char *how, size_t size);

#endif
