// SPDX-License-Identifier: Apache-2.0
//
// What a file with all its mutants in it asks (schema.py): is number n the one? It also notes that it was asked.
#ifndef MUTANT_H
#define MUTANT_H
enum { MUTANTS_MOST = 1 << 16 };
extern int mutant_now;
extern unsigned char mutant_seen[MUTANTS_MOST];
static inline int mutant_is(int n)
{
    mutant_seen[n] = 1;
    return __builtin_expect(mutant_now == n, 0);
}
#define MUTANT(n) mutant_is(n)
#endif
