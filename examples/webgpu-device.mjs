// SPDX-License-Identifier: Apache-2.0
//
// What devices of WebGPU that stay (docs/protocol.md) have in common: browser-device.mjs, and Dawn in Node. A case
// file -> its buffers, the bindings of WGSL, memory -> an answer's file, and one line a job, one line an answer.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// Statuses of docs/protocol.md.
export const REFUSED = 1, NOT_OFFERED = 77, ENVIRONMENT = 125, DIED = 134;

export class Answer extends Error {
    constructor(status, text) {
        super(text);
        this.status = status;
    }
}

// A case (docs/case-format.md): { groups: [x, y, z], buffers: [{ set, binding, where: 'SET:BINDING', data: words }] }.
export function readCase(file) {
    const found = { groups: [1, 1, 1], buffers: [] };
    for (const line of readFileSync(file, 'utf8').split('\n')) {
        if (!line.startsWith(';')) break;
        const [key, ...words] = line.slice(1).trim().split(/\s+/);
        if (key === 'dispatch') found.groups = words.map(Number);
        if (key === 'push' || key === 'spec') throw new Answer(NOT_OFFERED, `WGSL has no ${key} constants here`);
        if (key === 'buffer') {
            const [where, kind, ...rest] = words, [set, binding] = where.split(':').map(Number);
            const data = kind === 'zero' ? new Uint32Array(+rest[0]) : Uint32Array.from(rest, Number);
            found.buffers.push({ set, binding, where, data });
        }
    }
    return found;
}

// What one buffer of a case holds afterwards, as the line of an answer's file.
export const memoryLine = ({ where }, words) => `memory ${where} u32 ${Array.from(words).join(' ')}\n`;

// The storage buffers of WGSL that tanglefuzz or naga has written: group -> [{ binding, type }], a GPUBufferBindingType.
export function bindingsOf(code) {
    const groups = [];
    for (const [, group, binding, access] of code.matchAll(
        /@group\((\d+)\)\s*@binding\((\d+)\)\s*var<storage(?:,\s*(\w+))?>/g))
        (groups[group] ??= []).push({ binding: +binding, type: access?.includes('write') ? 'storage' : 'read-only-storage' });
    return Array.from(groups, (group) => group ?? []);
}

// Answers until there are no more jobs. `say` writes a line; `run` does a job, given its fields, or throws.
export async function serve(ready, say, run) {
    say(`ready\t${ready}`);
    for await (const line of createInterface({ input: process.stdin })) {
        const [job, ...fields] = line.split('\t');
        try {
            await run(fields);
            say(`${job}\t0`);
        } catch (why) {
            say(`${job}\t${why.status ?? ENVIRONMENT}\t${`${why.message}`.replace(/[\t\r\n]+/g, ' ').slice(0, 600)}`);
        }
    }
}
