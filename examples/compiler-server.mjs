#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// A compiler for tanglefuzz that stays (docs/protocol.md), in Node: one line a job, one line an answer.
//
//   tanglefuzz fuzz --target 'exec-compiler-server:node examples/compiler-server.mjs'
//
// Put your compiler, which may be asynchronous or WebAssembly, in place of compileModule. This one
// removes names and lines, as a stripper does.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

class NotOffered extends Error {} // something that it says it does not do: skipped and counted

// OpSourceContinued ... OpLine, OpNoLine, OpModuleProcessed
const names = new Set([2, 3, 4, 5, 6, 7, 8, 317, 330]);

async function compileModule(words) {
    if (words.length < 5 || words[0] !== 0x07230203) throw new Error('no SPIR-V module');
    if (words[1] > 0x00010600) throw new NotOffered('SPIR-V newer than 1.6');
    const out = [...words.subarray(0, 5)];
    for (let at = 5, length; at < words.length; at += length) {
        length = words[at] >>> 16;
        if (!names.has(words[at] & 0xffff)) out.push(...words.subarray(at, at + length));
    }
    return Uint32Array.from(out);
}

// Nothing else may go to standard output: what a library prints there breaks the contract.
console.log = console.error;
const answer = (job, status, text = '') =>
    process.stdout.write(`${job}\t${status}\t${text.replace(/[\t\n]/g, ' ')}\n`);

process.stdout.write('ready\texample stripper 1.0\n');
for await (const line of createInterface({ input: process.stdin })) {
    const [job, source, target] = line.split('\t');
    try {
        const data = readFileSync(source);
        const made = await compileModule(new Uint32Array(data.buffer, data.byteOffset, data.length / 4));
        writeFileSync(target, made);
        answer(job, 0);
    } catch (why) {
        answer(job, why instanceof NotOffered ? 77 : 1, String(why)); // 1: it refuses the module, a finding
    }
}
