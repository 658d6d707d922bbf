#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Plants faults in drivers' dumps: one from a random level on. Does `tanglefuzz bisect --dump` name that level?
# usage: scripts/passes_faults.py TANGLEFUZZ DUMPS COUNT [SEED [COMPILER]]
# COMPILER: nak (default), aco, ir3, v3d, gallivm, brw (its NIR), or a debug build's NIR: nir (of RADV), nir-nvk, nir-lavapipe, nir-turnip, nir-anv.
# DUMPS: a folder with NAME.spvasm and NAME.COMPILER.txt. Prints a line for each kind of
# fault, and the sum. A fault that leaves the last level right is not counted: it does not matter to this program; nor is one
# whose text no machine reads. "later": the level named is a later one, as the earlier ones are right: there the changed line
# has no effect.
import collections
import os
import random
import re
import signal
import subprocess
import sys

NE = {'eq': 'ne', 'ne': 'eq', 'lg': 'eq'}
AFTER = {'lt': 'le', 'ge': 'gt'}


def swapped_cndmask(m):
    """v_cndmask_b32 with its two values exchanged; machine code has the destination before them."""
    return '%s%s, %s, ' % (m[1], m[3], m[2])


NAK = {  # name: what it replaces in a line of the code, and by what; None drops the line
    'comparison': (r'isetp\.(eq|ne)\.', lambda m: 'isetp.%s.' % NE[m[1]]),
    'bound': (r'isetp\.(lt|ge)\.', lambda m: 'isetp.%s.' % AFTER[m[1]]),
    'and becomes or': (r'lop3\.LUT\[0xc0\]', 'lop3.LUT[0xfc]'),
    'join lost': (r'^\s+bsync b?%?.*$', None),
    'lane of a shuffle': (r'shfl\.bfly', 'shfl.idx'),
    'shift': (r'shf\.l\.w\.', 'shf.r.w.'),
    'selection': (r'sel (!?)(%?p)', lambda m: 'sel %s%s' % ('' if m[1] else '!', m[2])),
    'reduction': (r'redux\.(xor|and)', lambda m: 'redux.' + {'xor': 'or', 'and': 'or'}[m[1]]),
    'constant': (r'0x9e3779b9', '0x9e3779b1'),
    'lane id': (r'sr\[0x0\]', 'sr[0x21]'),
}
ACO = {
    'comparison': (r'\bv_cmp(x?)_(eq|lg|ne)_([iu])', lambda m: 'v_cmp%s_%s_%s' % (m[1], NE[m[2]], m[3])),
    'bound': (r'_cmp(x?)_(lt|ge)_([iu])', lambda m: '_cmp%s_%s_%s' % (m[1], AFTER[m[2]], m[3])),
    'and becomes or': (r'\b([sv]|v_dual)_and_b(32|64)\b', r'\1_or_b\2'),
    'join lost': (r'^.*(%0:exec_lo = p_parallelcopy %|s_mov_b32 exec_lo, s\d).*$', None),
    'lane of a shuffle': (r'quad_perm:\[2,3,0,1\]', 'quad_perm:[1,0,3,2]'),
    'shift': (r'\b(v_lshlrev|v_dual_lshlrev|s_lshl)_b32', lambda m: m[1].replace('lshl', 'lshr') + '_b32'),
    'selection': (r'(= v_cndmask_b32 |v_(?:dual_)?cndmask_b32(?:_e32|_e64)? v\d+, )([^ ,]+), ([^ ,]+), ', swapped_cndmask),
    'reduction': (r'op:iadd32|v_add_nc_u32_dpp', lambda m: 'op:ixor32' if m[0][0] == 'o' else 'v_xor_b32_dpp'),
    'constant': (r'0x9e3779b9', '0x9e3779b1'),
    'lane id': (r'\bv_mbcnt_lo_u32_b32', 'v_min_u32'),
}
IR3 = {
    'comparison': (r'\bcmps\.([usf])\.(eq|ne)', lambda m: 'cmps.%s.%s' % (m[1], NE[m[2]])),
    'bound': (r'\bcmps\.([usf])\.(lt|ge)', lambda m: 'cmps.%s.%s' % (m[1], AFTER[m[2]])),
    'and becomes or': (r'\band\.b\b', 'or.b'),
    'branch': (r'\bbr ((?:\(kill\)|\(last\))*)(!?)(?=u?p)', lambda m: 'br %s%s' % (m[1], '' if m[2] else '!')),
    'lane of a shuffle': (r'quad_shuffle\.(horiz|vert)|shfl\.rdown',
                          lambda m: {'horiz': 'quad_shuffle.vert', 'vert': 'quad_shuffle.horiz', None: 'shfl.rup'}[m[1]]),
    'shift': (r'\bshl\.b\b', 'shr.b'),
    'selection': (r'\bsel\.b32 ([^,]+), ([^,]+), ([^,]+), ([^,\n]+)', r'sel.b32 \1, \4, \3, \2'),
    'reduction': (r'brcst\.active\.w2', 'brcst.active.w4'),
    'sum': (r'\badd\.u\b', 'sub.u'),
    'minimum': (r'\bmin\.u\b', 'max.u'),
}
GALLIVM = {
    'comparison': (r'icmp (eq|ne) <8', lambda m: 'icmp %s <8' % NE[m[1]]),
    'bound': (r'icmp ([us])(lt|ge) <8', lambda m: 'icmp %s%s <8' % (m[1], AFTER[m[2]])),
    'and becomes or': (r'(%ssa_\w+ = )and ', r'\1or '),
    'mask lost': (r'(%break\w* = )xor ', r'\1or '),
    'lane of a shuffle': (r'permd\((<8 x i32> %\w+), (<8 x i32> %\w+)\)', r'permd(\2, \1)'),
    'shift': (r'(%ssa_\w+ = )shl ', r'\1lshr '),
    'selection': (r'(%ssa_\w+ = select <8 x i1> %\w+), (<8 x i32> .*), (<8 x i32> .*)$', r'\1, \3, \2'),
    'reduction': (r'llvm.vector.reduce.(add|umin)\.', r'llvm.vector.reduce.xor.'),
    'constant': (r'i32 -1640531527', 'i32 -1640531535'),
    'first lane': (r'(= extractelement <8 x i(?:32|8|16)> %\w+, i32 )%first_active\w*', r'\g<1>7'),
}
NIR = {
    'comparison': (r' (ieq|ine) (?=%)', lambda m: {'ieq': ' ine ', 'ine': ' ieq '}[m[1]]),
    'bound': (r' ult (%\d+(?: \(\w+\))?(?:\.\w)?), (%\d+)', r' uge \2, \1'),
    'and becomes or': (r' iand (?=%)', ' ior '),
    'break lost': (r'^ +break$', None),
    'lane of a shuffle': (r'@(shuffle|read_invocation) \((%\d+)(.*), (%\d+)', r'@\1 (\2\3, \2'),
    'shift': (r' ishl(?:\.nuw)? (?=%)', ' ushr '),
    'selection': (r' bcsel (%\d+(?: \(\w+\))?), (%\d+(?: \(\w+\))?), (%\d+(?: \(\w+\))?)', r' bcsel \1, \3, \2'),
    'reduction': (r'reduction_op=(iadd|umin|imin|umax|imax)', 'reduction_op=ixor'),
    'constant': (r'load_const \(0x9e3779b9', 'load_const (0x9e3779b1'),
    'store lost': (r'^ +@store_(deref|ssbo) .*$', None),
    'sum': (r' iadd(?:\.nuw)? (?=%)', ' isub '),
}
V3D = {
    'condition': (r'\bmov\.if(n?)a (?=t\d|rf\d)', lambda m: 'mov.if%sa ' % ('' if m[1] else 'n')),
    'condition lost': (r'\bmov\.if(n?)a (?=t\d|rf\d)', 'mov '),
    'comparison': (r'\b(sub|min)\.pushc\b', r'\1.pushn'),
    'and becomes or': (r'\band (?=t\d|rf\d)', 'or '),
    'branch': (r'\bbu\.(all|any)(?=n?a)', lambda m: 'bu.' + {'all': 'any', 'any': 'all'}[m[1]]),
    'shift': (r'\bshl (?=t\d|rf\d)', 'shr '),
    'reduction': (r'\bballot\b', 'bcastf'),
    'constant': (r'0x9e3779b9', '0x9e3779b1'),
    'sum': (r'\badd (?=(?:t|rf)\d+, )', 'sub '),
    'lane id': (r'\beidx\b', 'tidx'),
}
COMPILERS = {  # the faults, the line that begins a level of the compiler's own code, what `bisect --as` takes
    'nak': (NAK, re.compile(r'^NAK IR( after (.*))?:$'), 'nak'),
    'aco': (ACO, re.compile(r'^(After (Instruction Selection|Spilling|RA)|disasm):$'), 'aco:navi31'),
    'gallivm': (GALLIVM, re.compile(r"^; ModuleID = 'cs"), 'gallivm'),
    'brw': (NIR, re.compile(r'^NIR \((SSA|final) form\) for compute shader:'), 'brw'),
    'nir': (NIR, re.compile(r'^shader: MESA_SHADER_COMPUTE'), 'nir:radv'),
    'v3d': (V3D, re.compile(r'^(MESA: info: )?MESA_SHADER_COMPUTE prog .*(VIR|QPU):$'), 'v3d'),
    'ir3': (IR3, re.compile(r'^(MESA: info: )?(AFTER: |Native code for ).*:$'), 'ir3'),
}

for driver in ('nvk', 'lavapipe', 'turnip', 'anv'):
    COMPILERS['nir-' + driver] = COMPILERS['nir'][:2] + ('nir:' + driver,)
BETWEEN = '==== standard error'  # after NIR of a debug build, which is read alone: the driver's own text


def levels_of(lines, start):
    """The first line of each level of the compiler's code, which those of NIR come before."""
    out = [i for i, line in enumerate(lines) if start.match(line)]
    # Before its levels, ir3 prints its machine code once more.
    while out and lines[out[0]].startswith('Native') and len(out) > 1:
        out.pop(0)
    return out


def show(name, n):
    print('%-20s %4d right %4d later %4d not sure %4d wrong  (%d harmless, %d not read)' %
          (name, n['right'], n['later'], n['not sure'], n['wrong'], n['harmless'], n['not read']))


def bisect(tanglefuzz, case, dump, name):
    """What `bisect` says of a dump, and how many levels it skipped."""
    out = subprocess.run([tanglefuzz, 'bisect', case + '.spvasm', '--dump', dump, '--as', name], capture_output=True, text=True)
    skipped = re.search(r'^  levels .* (\d+) skipped', out.stdout, re.M)
    return out, int(skipped[1]) if skipped else -1


def main():
    tanglefuzz, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    compiler = sys.argv[5] if len(sys.argv) > 5 else 'nak'
    kinds, start, name = COMPILERS[compiler]
    cases = sorted(f[:-5 - len(compiler)] for f in os.listdir(folder) if f.endswith('.%s.txt' % compiler))
    seen = collections.defaultdict(collections.Counter)
    done, skips = 0, {}
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, too
    try:
        while done < count:
            case = os.path.join(folder, chance.choice(cases))
            lines = [re.sub('\x1b\\[[0-9;]*m', '', line) for line in open('%s.%s.txt' % (case, compiler)).read().split('\n')]
            if name.startswith('nir:') and BETWEEN in lines:
                lines = lines[:lines.index(BETWEEN)]
            starts = levels_of(lines, start)
            kind = chance.choice(list(kinds))
            pattern, by = kinds[kind]
            first = chance.randrange(len(starts))
            changed = []
            for i in range(starts[first], len(lines)):
                if not re.search(pattern, lines[i]):
                    continue
                changed.append(i)
                lines[i] = re.sub(pattern, by, lines[i]) if by else None
            if not changed:
                continue
            planted = max(k for k, s in enumerate(starts) if s <= changed[0])  # the first level with a change
            with open('planted.txt', 'w') as f:
                f.write('\n'.join(line for line in lines if line is not None))
            out, skipped = bisect(tanglefuzz, case, 'planted.txt', name)
            named = re.search(r'^  pass    .* \(level (\d+) of (\d+)\)(; not sure)?', out.stdout, re.M)
            if not named and 'no pass found: the last level that ran is right' in out.stdout:
                if case not in skips:
                    skips[case] = bisect(tanglefuzz, case, '%s.%s.txt' % (case, compiler), name)[1]
                seen[kind]['harmless' if skipped == skips[case] else 'not read'] += 1
                continue
            done += 1
            level = int(named[1]) - (int(named[2]) - len(starts)) - 1 if named else -1
            # Before a pass that removes copies, the line that was changed may be one whose value is never used.
            result = ('not sure' if named and named[3] else 'right' if level == planted else 'later' if level > planted else 'wrong')
            seen[kind][result] += 1
            if result != 'right':
                said = out.stdout.split('\n')
                print('%s: %s from level %d of the code: %s' % (case, kind, planted + 1, (said[1] if len(said) > 1 else '') + out.stderr), flush=True)
    except KeyboardInterrupt:
        print('interrupted after %d faults' % done)
    total = collections.Counter()
    for kind in kinds:
        total += seen[kind]
        show(kind, seen[kind])
    show('all', total)


main()
