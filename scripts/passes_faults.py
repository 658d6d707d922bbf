#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Plants faults in drivers' dumps: one from a random level on. Does `tanglefuzz bisect --dump` name that level?
# usage: scripts/passes_faults.py TANGLEFUZZ DUMPS COUNT [SEED]
# DUMPS: a folder with NAME.spvasm and NAME.nak.txt. Prints a line for each kind of fault, and the sum. A fault that leaves
# every level right is not counted: it does not matter to this program. "later": the level named is a later one, as the earlier
# ones are right: there the changed line has no effect.
import collections
import os
import random
import re
import subprocess
import sys

KINDS = {  # name: what it replaces in a line of NAK's code, and by what; None drops the line
    'comparison': (r'isetp\.(eq|ne)\.', lambda m: 'isetp.%s.' % {'eq': 'ne', 'ne': 'eq'}[m[1]]),
    'bound': (r'isetp\.(lt|ge)\.', lambda m: 'isetp.%s.' % {'lt': 'le', 'ge': 'gt'}[m[1]]),
    'and becomes or': (r'lop3\.LUT\[0xc0\]', 'lop3.LUT[0xfc]'),
    'join lost': (r'^\s+bsync b?%?.*$', None),
    'lane of a shuffle': (r'shfl\.bfly', 'shfl.idx'),
    'shift': (r'shf\.l\.w\.', 'shf.r.w.'),
    'selection': (r'sel (!?)(%?p)', lambda m: 'sel %s%s' % ('' if m[1] else '!', m[2])),
    'reduction': (r'redux\.(xor|and)', lambda m: 'redux.' + {'xor': 'or', 'and': 'or'}[m[1]]),
    'constant': (r'0x9e3779b9', '0x9e3779b1'),
    'lane id': (r'sr\[0x0\]', 'sr[0x21]'),
}
START = re.compile(r'^NAK IR( after (.*))?:$')


def levels_of(lines):
    """The first line of each level of NAK's code; the two of NIR come before them."""
    return [i for i, line in enumerate(lines) if START.match(line)]


def show(name, n):
    print('%-20s %4d right %4d later %4d not sure %4d wrong  (%d harmless)' %
          (name, n['right'], n['later'], n['not sure'], n['wrong'], n['harmless']))


def main():
    tanglefuzz, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    cases = sorted(f[:-8] for f in os.listdir(folder) if f.endswith('.nak.txt'))
    seen = collections.defaultdict(collections.Counter)
    done = 0
    while done < count:
        case = os.path.join(folder, chance.choice(cases))
        lines = open(case + '.nak.txt').read().split('\n')
        starts = levels_of(lines)
        kind = chance.choice(list(KINDS))
        pattern, by = KINDS[kind]
        first = chance.randrange(len(starts))
        changed = []
        for i in range(starts[first], len(lines)):
            if not re.search(pattern, lines[i]):
                continue
            changed.append(i)
            lines[i] = re.sub(pattern, by, lines[i]) if by else ''
        if not changed:
            continue
        planted = max(k for k, s in enumerate(starts) if s <= changed[0])  # the first level with a change
        with open('planted.txt', 'w') as f:
            f.write('\n'.join(lines))
        out = subprocess.run([tanglefuzz, 'bisect', case + '.spvasm', '--dump', 'planted.txt', '--as', 'nak'],
                             capture_output=True, text=True)
        named = re.search(r'^  pass    .* \(level (\d+) of \d+\)(; not sure)?', out.stdout, re.M)
        if not named and 'no pass found: the last level that ran is right' in out.stdout:
            seen[kind]['harmless'] += 1
            continue
        done += 1
        level = int(named[1]) if named else 0
        # Before a pass that removes copies, the line that was changed may be one whose value is never used.
        result = ('not sure' if named and named[2] else 'right' if level == planted + 3 else
                  'later' if level > planted + 3 else 'wrong')
        seen[kind][result] += 1
        if result != 'right':
            print('%s: %s from level %d: %s' % (case, kind, planted + 3, out.stdout.split('\n')[1] + out.stderr), flush=True)
    total = collections.Counter()
    for kind in KINDS:
        total += seen[kind]
        show(kind, seen[kind])
    show('all', total)


main()
