// SPDX-License-Identifier: Apache-2.0
//
// splitmix64 (Steele, Lea, Flood 2014) and XXH3.
#include "base.h"

#include <xxhash.h>

uint64_t rng_next(struct rng *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint32_t rng_below(struct rng *r, uint32_t n)
{
    CHECK(n > 0);
    return (uint32_t)(((rng_next(r) >> 32) * n) >> 32);
}

uint64_t hash64(const void *data, size_t size)
{
    return XXH3_64bits(data, size);
}

uint64_t hash64_with(uint64_t h, const void *data, size_t size)
{
    return XXH3_64bits_withSeed(data, size, h);
}
