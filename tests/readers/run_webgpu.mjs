// SPDX-License-Identifier: Apache-2.0
//
// Runs a suite for the WebGPU CTS (tanglefuzz suite --form webgpu) in Node:
//
//   node run_webgpu.mjs SPEC.ts [FOLDER]
//
// The framework of the CTS is replaced by what such a file uses of it. FOLDER has Dawn for Node (npm `webgpu`).
// Without it nothing runs: the file is only read, and its tests are counted. Prints a line a test; status 1: one failed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [file, folder] = process.argv.slice(2);
const lines = readFileSync(file, 'utf8').split('\n').filter((line) => !line.startsWith('import '));
const source = lines.join('\n').replaceAll(/^export const/gm, 'const');

const tests = [];
class Skip extends Error {}
const group = {
    test(name) {
        const made = { name, cases: [{}] };
        tests.push(made);
        const self = {
            desc: () => self,
            params: (of) => {
                of({ combine: (key, values) => { made.cases = values.map((value) => ({ [key]: value })); } });
                return self;
            },
            fn: (run) => { made.run = run; },
        };
        return self;
    },
};
new Function('makeTestGroup', 'keysOf', 'AllFeaturesMaxLimitsGPUTest', source)(() => group, Object.keys, class {});

async function open() {
    const { create, globals } = await import(createRequire(resolve(join(folder, 'x.js'))).resolve('webgpu'));
    Object.assign(globalThis, globals);
    const gpu = create([]), adapter = await gpu.requestAdapter();
    if (!adapter?.features.has('subgroups')) throw new Error('no adapter with subgroups');
    const { maxStorageBuffersPerShaderStage } = adapter.limits;
    const device = await adapter.requestDevice({
        requiredFeatures: ['subgroups'], requiredLimits: { maxStorageBuffersPerShaderStage },
    });
    return { gpu, device };
}

const fixture = ({ gpu, device }, params, wrong) => ({
    params, device,
    skipIf(when, why) { if (when) throw new Skip(why); },
    skipIfDeviceDoesNotHaveFeature(name) { this.skipIf(!device.features.has(name), `no ${name}`); },
    skipIfLanguageFeatureNotSupported(name) { this.skipIf(!gpu.wgslLanguageFeatures.has(name), `no ${name}`); },
    expect(right, why) { if (!right) wrong.push(why); },
    makeBufferWithContents(data, usage) {
        const buffer = device.createBuffer({ size: data.byteLength, usage, mappedAtCreation: true });
        new data.constructor(buffer.getMappedRange()).set(data);
        buffer.unmap();
        return buffer;
    },
    async readGPUBufferRangeTyped(from, { type, typedLength }) {
        const size = typedLength * type.BYTES_PER_ELEMENT;
        const to = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
        const encoder = device.createCommandEncoder();
        encoder.copyBufferToBuffer(from, 0, to, 0, size);
        device.queue.submit([encoder.finish()]);
        await to.mapAsync(GPUMapMode.READ);
        return { data: new type(to.getMappedRange().slice(0)) };
    },
});

let passed = 0, failed = 0, skipped = 0;
const there = folder ? await open() : undefined;
for (const { name, cases, run } of tests)
    for (const params of cases) {
        const title = [name, ...Object.values(params)].join(':'), wrong = [];
        if (!there) continue;
        there.device.pushErrorScope('validation');
        try {
            await run(fixture(there, params, wrong));
        } catch (why) {
            if (why instanceof Skip) console.log(`skip ${title}: ${why.message}`), skipped++;
            else wrong.push(`${why.stack}`);
            if (why instanceof Skip) wrong.push(null);
        }
        const invalid = await there.device.popErrorScope();
        if (invalid) wrong.unshift(invalid.message);
        if (wrong[0] === null) continue;
        console.log(`${wrong.length ? 'not ok' : 'ok'} ${title}${wrong.map((w) => `\n  ${w}`).join('')}`);
        wrong.length ? failed++ : passed++;
    }
console.log(`${tests.reduce((n, t) => n + t.cases.length, 0)} tests: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed ? 1 : 0);
