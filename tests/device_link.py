#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# A link to a device program that misbehaves: device_link.py MODE COMMAND...
# It runs the command (tanglefuzz-device) and passes frames on in both directions, but for what MODE says. With ONCE in
# the environment, a file, it does so once: the file exists afterwards, and later links are honest. With PROGRESS, a file,
# each result that it passes on adds a byte to it.
#   delay=MS     each direction takes so long
#   version      the greeting has another version
#   layout       the greeting has another layout of frames
#   banner       text before the greeting
#   refuse       the device has no subgroups
#   mute         no greeting
#   cut=N        ends in the middle of the Nth result
#   silent=N     nothing more after the Nth start
#   other=N      the Nth result is of another job
#   twice=N      the Nth result comes twice
#   flood=N      no end of bytes instead of the Nth result
#   die=N        kills the program with the driver at the Nth start (SIGKILL)
#   crash=N      the driver crashes at each module whose number of words is a multiple of N
#   lost=N       the device is lost at each such module: Windows has reset its GPU
import os, signal, struct, subprocess, sys, threading, time

START, RESULT, DONE, ALIVE, JOB, GREET = 6, 7, 8, 12, 3, 10
DEVICE_LOST = 4  # of enum run_status
HEAD = struct.Struct('<IIQ')
mode, _, number = sys.argv[1].partition('=')
number = int(number or 0)
once = os.environ.get('ONCE')
progress = os.environ.get('PROGRESS')
if once and os.path.exists(once):
    mode = 'honest'


def now():
    if once:
        open(once, 'w').close()


def put(b):
    while b:
        b = b[os.write(1, b):]


if mode == 'banner':
    now()
    put(b'Welcome to this machine.\n')
if mode == 'mute':
    now()
    time.sleep(1000)
device = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
words = {}  # of each job's module


def frames(fd):
    have = b''
    while True:
        b = os.read(fd, 1 << 16)
        if not b:
            return
        have += b
        while len(have) >= HEAD.size:
            size = HEAD.unpack_from(have)[2] + HEAD.size
            if len(have) < size:
                break
            yield have[:size]
            have = have[size:]


def later(chunks, out):
    """Passes chunks on, each `number` milliseconds after it came."""
    queue, more = [], threading.Condition()

    def send():
        while True:
            with more:
                while not queue:
                    more.wait()
                at, b = queue.pop(0)
            time.sleep(max(0, at - time.monotonic()))
            if b is None:
                os._exit(0)
            out(b)
    threading.Thread(target=send, daemon=True).start()
    for b in chunks:
        with more:
            queue.append((time.monotonic() + number / 1000, b))
            more.notify()
    with more:
        queue.append((time.monotonic() + number / 1000, None))
        more.notify()
    time.sleep(1000)


def chunks(fd):
    while True:
        b = os.read(fd, 1 << 16)
        if not b:
            return
        yield b


def to_device(b):
    while b:
        b = b[device.stdin.write(b):]


def upstream():
    if mode == 'delay':
        later(chunks(0), to_device)
    if mode in ('crash', 'lost'):
        for f in frames(0):
            if HEAD.unpack_from(f)[1] == JOB:
                job, first, n, size, count = struct.unpack_from('<5I', f, HEAD.size)
                words[job] = count
            to_device(f)
    else:
        for b in chunks(0):
            to_device(b)
    device.kill()
    os._exit(0)


def inner():
    with open('/proc/%d/task/%d/children' % (device.pid, device.pid)) as f:
        return int(f.read().split()[0])


threading.Thread(target=upstream, daemon=True).start()
if mode == 'delay':
    later(chunks(device.stdout.fileno()), put)
seen, crashed = {}, False
for f in frames(device.stdout.fileno()):
    kind = HEAD.unpack_from(f)[1]
    if crashed and kind in (START, RESULT, DONE):
        continue  # the signal came after the driver had finished the module
    seen[kind] = seen.get(kind, 0) + 1
    nth = seen[kind] == number
    job = struct.unpack_from('<I', f, HEAD.size)[0] if len(f) >= HEAD.size + 4 else 0
    if mode == 'version' and kind == GREET:
        f = f[:HEAD.size] + struct.pack('<I', 9) + f[HEAD.size + 4:]
    if mode == 'layout' and kind == GREET:
        f = f[:HEAD.size + 4] + struct.pack('<I', 9) + f[HEAD.size + 8:]
    if mode == 'refuse' and kind == 4:
        text = b"device 'Old' supports Vulkan 1.0, but subgroups need 1.1"
        f = HEAD.pack(HEAD.unpack_from(f)[0], 5, 4 + len(text)) + struct.pack('<I', len(text)) + text
    if kind == RESULT and mode == 'lost' and words[job] % number == 0:
        case = struct.unpack_from('<I', f, HEAD.size + 4)[0]
        body = struct.pack('<4I2d5I', job, case, DEVICE_LOST, 0, 0, 0, 0, 0, 0, 0, 0) + struct.pack('<5IQ', 0, 0, 0, 0, 0, 0)
        put(HEAD.pack(HEAD.unpack_from(f)[0], RESULT, len(body)) + body)
        device.kill()
        os._exit(0)
    if kind == RESULT and nth and mode in ('cut', 'other', 'twice', 'flood'):
        now()
        if mode == 'cut':
            put(f[:len(f) // 2])
            device.kill()
            os._exit(0)
        if mode == 'other':
            f = f[:HEAD.size] + struct.pack('<I', job + 1) + f[HEAD.size + 4:]
        if mode == 'twice':
            put(f)
        while mode == 'flood':
            put(b'\0' * (1 << 16))
    if kind == START and mode in ('silent', 'die') and nth:
        now()
        if mode == 'silent':
            put(f)
            time.sleep(1000)
        os.kill(inner(), signal.SIGKILL)
    if kind == START and mode == 'crash' and words[job] % number == 0:
        print('driver.c:7: Assertion `converged` failed.', file=sys.stderr, flush=True)
        os.kill(inner(), signal.SIGSEGV)
        crashed = True
    put(f)
    if kind == RESULT and progress:
        with open(progress, 'ab') as file:
            file.write(b'.')
sys.exit(0)
