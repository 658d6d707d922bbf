// What tests/sweep_test.sh changes: one of each thing that sites.py knows. Prints what it computes.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define TWICE(x) ((x) + (x))
#define ROWS ROW(first, x + y) ROW(second, x & y)
enum { SIZE = 4 };
static const int table[SIZE] = { 1, 2, 3, 4 };

static bool odd(int x) { return x & 1; }
static bool both(int x, int y) { return odd(x) && !odd(y); }
static const char *name(int x) { return x < 2 ? "small" : "large"; }

static int sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        if (i > 6 || s > 100)
            break;
        s += table[i % SIZE] << 1;
    }
    return s;
}

static unsigned pick(unsigned x)
{
    unsigned r = 0;
    switch (x) {
    case 1:
        r = TWICE(x) | 8;
        break;
    case 2: r ^= ~x; break;
    default: r |= UINT32_C(5) - x;
    }
    return r;
}

#define ROW(n, expr)                                                                               \
    static int n(int x, int y)                                                                     \
    {                                                                                              \
        return (expr)*1;                                                                           \
    }
ROWS

int main(void)
{
    bool told = false;
    const char *s = name(first(1, 2));
    if (s && !told)
        told = true;
    printf("%d %d %d %s %d %d\n", both(1, 2), both(3, 3), sum(9), s ? s : "none", told, second(7, 10));
    for (unsigned k = 1; k <= 3; k++)
        printf("%u ", pick(k));
    return 0;
}
