// SPDX-License-Identifier: Apache-2.0
//
// Dawn in Node (npm `webgpu`) as a command that keeps running (docs/protocol.md): the server of targets
// `tint` and `dawn`.
//
//   node dawn.mjs tint    JOB WGSL OUT         OUT: the SPIR-V from Tint for the driver, as assembly
//   node dawn.mjs dawn    JOB WGSL CASE OUT    OUT: the memory file of the case
//
// Dawn prints on standard output, which goes to the file named by DAWN_SAID. The protocol uses
// descriptor 3.
import { readFileSync, writeFileSync, writeSync, truncateSync } from 'node:fs';
import { create, globals } from 'webgpu';
import { Answer, DIED, ENVIRONMENT, NOT_OFFERED, REFUSED, bindingsOf, memoryLine, readCase, serve } from './webgpu-device.mjs';

Object.assign(globalThis, globals);
const compiles = process.argv[2] === 'tint', log = process.env.DAWN_SAID;

// Dawn waits by polling at every turn of Node's loop, which takes CPU time from a CPU driver: half of the
// CPU time of a case on lavapipe.
globalThis.setImmediate = (again, ...rest) => setTimeout(again, 1, ...rest);
const dumps = ['enable-dawn-features=dump_shaders'];
let gpu = create(dumps);
let adapter, device, lost;

async function open() {
    adapter = await gpu.requestAdapter();
    if (!adapter) throw new Error('no adapter: Dawn takes no driver that is here');
    if (!adapter.features.has('subgroups')) throw new Error(`${adapter.info.description}: no subgroups`);
    const { maxStorageBuffersPerShaderStage, maxStorageBufferBindingSize } = adapter.limits;
    lost = undefined;
    device = await adapter.requestDevice({
        requiredFeatures: ['subgroups'],
        requiredLimits: { maxStorageBuffersPerShaderStage, maxStorageBufferBindingSize },
    });
    device.lost.then((info) => (lost = info.message || 'without a reason'));
}

function layouts(code) {
    const groups = bindingsOf(code).map((group) => group.map(({ binding, type }) => (
        { binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })));
    // Dawn renumbers bindings without gaps. If nothing runs, fill the gaps to keep the numbers.
    for (const entries of compiles ? groups.filter((g) => g.length) : [])
        for (let binding = 0; binding < Math.max(...entries.map((e) => e.binding)); binding++)
            if (!entries.some((e) => e.binding === binding)) entries.push({ ...entries[0], binding });
    return groups.map((entries) => device.createBindGroupLayout({ entries }));
}

let served = 0;
let made = {}; // the last pipeline: the inputs of one program arrive in sequence

// Runs calls that Dawn's validation may reject; the start of its message is the reason.
async function checked(status, work) {
    device.pushErrorScope('internal');
    device.pushErrorScope('validation');
    const result = work();
    const [validation, internal] = await Promise.all([device.popErrorScope(), device.popErrorScope()]);
    const wrong = validation ?? internal;
    if (lost) throw new Answer(DIED, `device lost: ${lost}`);
    if (wrong) throw new Answer(status, wrong.message.split('\n').slice(0, 4).join(' '));
    return result;
}

async function pipelineOf(file, unlike = '') {
    const code = readFileSync(file, 'utf8') + unlike;
    if (made.code !== code) {
        made = {};
        made = await checked(REFUSED, () => {
            const groups = layouts(code);
            const layout = device.createPipelineLayout({ bindGroupLayouts: groups });
            const module = device.createShaderModule({ code });
            const pipeline = device.createComputePipeline({ layout, compute: { module, entryPoint: 'main' } });
            return { code, groups, pipeline };
        });
    }
    return made;
}

async function tint([wgsl, out]) {
    made = {};
    truncateSync(log);
    await pipelineOf(wgsl, `\n// ${++served}`); // makes the code unique, because Dawn caches compiled code
    const text = readFileSync(log, 'utf8'), at = text.lastIndexOf('; SPIR-V\n');
    if (at < 0) throw new Answer(ENVIRONMENT, 'Dawn printed no SPIR-V');
    const end = text.indexOf('\ninfo:', at);
    // Restores the entry point's name: Dawn uses one name for all.
    writeFileSync(out, text.slice(at, end < 0 ? undefined : end).replace('"dawn_entry_point"', '"main"'));
}

async function dawn([wgsl, file, out]) {
    const { groups, pipeline } = await pipelineOf(wgsl), { groups: count, buffers } = readCase(file);
    const total = buffers.reduce((sum, b) => sum + (b.size = Math.max(b.data.byteLength, 4)), 0);
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    if (total > maxBufferSize || buffers.some((b) => b.size > maxStorageBufferBindingSize))
        throw new Answer(NOT_OFFERED, 'buffers larger than the device has them');
    let mapped;
    const all = await checked(REFUSED, () => {
        const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
        for (const b of buffers) {
            b.gpu = device.createBuffer({ size: b.size, usage });
            device.queue.writeBuffer(b.gpu, 0, b.data);
        }
        const all = device.createBuffer({ size: total, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
        const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        groups.forEach((layout, set) => pass.setBindGroup(set, device.createBindGroup({
            layout,
            entries: buffers.filter((b) => b.set === set && made.code.includes(`@group(${set}) @binding(${b.binding}) `))
                .map((b) => ({ binding: b.binding, resource: { buffer: b.gpu } })),
        })));
        pass.dispatchWorkgroups(...count);
        pass.end();
        let at = 0;
        for (const b of buffers) {
            encoder.copyBufferToBuffer(b.gpu, 0, all, at, b.size);
            at += b.size;
        }
        device.queue.submit([encoder.finish()]);
        mapped = all.mapAsync(GPUMapMode.READ);
        mapped.catch(() => {}); // reported below
        return all;
    });
    try {
        await mapped;
    } catch (why) {
        throw new Answer(DIED, lost ? `device lost: ${lost}` : String(why));
    }
    const bytes = all.getMappedRange();
    let at = 0, text = '';
    for (const b of buffers) {
        text += memoryLine(b, new Uint32Array(bytes, at, b.data.length));
        at += b.size;
    }
    writeFileSync(out, text);
    all.destroy();
    for (const b of buffers) b.gpu.destroy();
}

// True if Dawn declares maximal reconvergence in its SPIR-V for this driver.
async function promises() {
    const code = 'enable subgroups; @compute @workgroup_size(1) fn main() { _ = subgroupAdd(1u); }';
    truncateSync(log);
    const module = device.createShaderModule({ code });
    await checked(ENVIRONMENT, () => device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint: 'main' } }));
    return readFileSync(log, 'utf8').includes('MaximallyReconvergesKHR');
}

const say = (line) => writeSync(3, `${line}\n`);
await open();
const promised = await promises();
if (!compiles) {
    device.destroy();
    gpu = create([]);
    await open();
}
const { info } = adapter, one = info.subgroupMinSize === info.subgroupMaxSize;
await serve(`Dawn on ${info.description || info.device}${one ? `\tsubgroup=${info.subgroupMinSize}` : ''}` +
    (promised ? '' : '\treconvergence=no'), say, async (files) => {
    if (lost) await open();
    await (compiles ? tint(files) : dawn(files));
});
process.exit(0);
