#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// A browser as a device that stays (docs/protocol.md): headless Chromium's WebGPU, on the SwiftShader that it
// brings. It gets the case's module as WGSL, as a page would have it.
//
//   tanglefuzz replay CASE --target 'exec-device-server:node examples/browser-device.mjs'
//   tanglefuzz replay CASE --target 'exec-device-server:node examples/browser-device.mjs --naga NAGA-SERVER'
//
//   --naga NAGA-SERVER   the WGSL that naga makes of the module (deps/tools/naga/bin/naga-server), not ours
//   --said FILE          writes the last WGSL and its memory there, for people
//
// TANGLEFUZZ: the program that prints (else the build's); BROWSER: the browser (else chromium);
// BROWSER_ADAPTER: what --use-webgpu-adapter gets (else swiftshader). One page, served from here, asks for
// jobs and posts what they left.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Answer, ENVIRONMENT, NOT_OFFERED, bindingsOf, memoryLine, readCase, serve } from './webgpu-device.mjs';

const option = (name) => process.argv.indexOf(name) < 0 ? undefined : process.argv[process.argv.indexOf(name) + 1];
const naga = option('--naga'), saidIn = option('--said');
const built = fileURLToPath(new URL('../build/release/tanglefuzz', import.meta.url));
const tanglefuzz = process.env.TANGLEFUZZ ?? (existsSync(built) ? built : 'tanglefuzz');

// ---- what runs in the page: no word of it is known to the rest of this file

async function page() {
    const post = (path, what) => fetch(path, { method: 'POST', body: JSON.stringify(what) }).then((r) => r.json());
    let device;
    async function open() {
        const adapter = await navigator.gpu?.requestAdapter();
        if (!adapter) throw new Error('no WebGPU adapter');
        if (!adapter.features.has('subgroups')) throw new Error('no subgroups');
        device = await adapter.requestDevice({ requiredFeatures: ['subgroups'] });
        device.gone = null;
        const opened = device;
        device.lost.then((info) => (opened.gone = info.message || 'without a reason'));
        return adapter.info;
    }
    async function checked(work) {
        device.pushErrorScope('internal');
        device.pushErrorScope('validation');
        const result = work(), errors = [await device.popErrorScope(), await device.popErrorScope()];
        const wrong = errors.find((e) => e);
        if (device.gone) throw { status: 134, text: `device lost: ${device.gone}` };
        if (wrong) throw { status: 1, text: wrong.message };
        return result;
    }
    async function run({ code, bindings, groups, buffers }) {
        const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
        const out = [];
        await checked(() => {
            const bindGroupLayouts = bindings.map((entries) => device.createBindGroupLayout({
                entries: entries.map(({ binding, type }) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } })),
            }));
            const pipeline = device.createComputePipeline({
                layout: device.createPipelineLayout({ bindGroupLayouts }),
                compute: { module: device.createShaderModule({ code }), entryPoint: 'main' },
            });
            const encoder = device.createCommandEncoder();
            for (const b of buffers) {
                const size = Math.max(4 * b.data.length, 4);
                b.gpu = device.createBuffer({ size, usage });
                device.queue.writeBuffer(b.gpu, 0, Uint32Array.from(b.data));
                out.push(device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }));
            }
            const pass = encoder.beginComputePass();
            pass.setPipeline(pipeline);
            bindGroupLayouts.forEach((layout, set) => pass.setBindGroup(set, device.createBindGroup({
                layout,
                entries: bindings[set].map(({ binding }) => ({
                    binding, resource: { buffer: buffers.find((b) => b.set === set && b.binding === binding).gpu },
                })),
            })));
            pass.dispatchWorkgroups(...groups);
            pass.end();
            buffers.forEach((b, k) => encoder.copyBufferToBuffer(b.gpu, 0, out[k], 0, out[k].size));
            device.queue.submit([encoder.finish()]);
        });
        try {
            await Promise.all(out.map((b) => b.mapAsync(GPUMapMode.READ)));
        } catch (why) {
            throw { status: 134, text: `device lost: ${device.gone ?? why}` };
        }
        return buffers.map((b, k) => Array.from(new Uint32Array(out[k].getMappedRange(), 0, b.data.length)));
    }
    let answer;
    try {
        const { vendor, architecture, description, subgroupMinSize, subgroupMaxSize } = await open();
        answer = { ready: `${navigator.userAgent.match(/Chrome\/\S+/)} on ${description || `${vendor} ${architecture}`}`, subgroupMinSize, subgroupMaxSize };
    } catch (why) {
        answer = { failed: String(why.message ?? why) };
    }
    for (;;) {
        const job = await post('/job', answer);
        try {
            if (device.gone) await open();
            answer = { memory: await run(job) };
        } catch (why) {
            answer = { status: why.status ?? 125, text: String(why.text ?? why) };
        }
    }
}

// ---- the browser

let waiting; // the page's request, until there is a job for it
let heard; // what to do with its next answer
const first = new Promise((resolve) => (heard = resolve));
const server = createServer((request, response) => {
    if (request.method !== 'POST') {
        const found = request.url === '/';
        response.writeHead(found ? 200 : 404, { 'Content-Type': 'text/html' });
        response.end(found ? `<!DOCTYPE html><meta charset=utf-8><script>(${page})()</script>` : '');
        return;
    }
    let body = '';
    request.on('data', (part) => (body += part)).on('end', () => {
        waiting = response;
        heard(JSON.parse(body));
    });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const adapter = process.env.BROWSER_ADAPTER ?? 'swiftshader';
const browser = spawn(process.env.BROWSER ?? 'chromium', [
    '--headless', '--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-dev-shm-usage',
    '--enable-unsafe-webgpu', `--use-webgpu-adapter=${adapter}`, '--enable-features=Vulkan',
    `--user-data-dir=${tmpdir()}/browser`, `http://127.0.0.1:${server.address().port}/`,
], { stdio: ['ignore', 'ignore', 'inherit'] });
function end(why) {
    console.error(`browser-device: ${why}`);
    browser.kill('SIGKILL');
    process.exit(3);
}
browser.on('error', (why) => end(why.message));
browser.on('exit', (status, signal) => end(`the browser ended (${signal ?? status})`));

const said = await first;
if (said.failed) end(said.failed);

function ask(job) {
    return new Promise((resolve) => {
        heard = resolve;
        waiting.end(JSON.stringify(job));
    });
}

// ---- jobs

// A program's output, or why there is none.
function output(program, words, options) {
    const done = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });
    if (done.error) throw new Answer(ENVIRONMENT, done.error.message);
    return done;
}

function wgslOf(file, module, out) {
    if (!naga) {
        const { status, stdout, stderr } = output(tanglefuzz, ['print', file, '--as', 'wgsl']);
        if (status) throw new Answer(NOT_OFFERED, stderr);
        return stdout;
    }
    const wgsl = `${out}.wgsl`, spv = `${out}.spv`;
    writeFileSync(spv, readFileSync(module));
    const { stdout } = output(naga, ['--text'], { input: `1\t${spv}\t${wgsl}\n` });
    const [, status, text] = stdout.split('\n')[1]?.split('\t') ?? [];
    if (status !== '0') throw new Answer(+(status ?? ENVIRONMENT), `naga: ${text}`);
    return readFileSync(wgsl, 'utf8');
}

async function run([file, module, out]) {
    const job = readCase(file);
    let code = wgslOf(file, module, out);
    for (const line of ['diagnostic(off, subgroup_uniformity);', 'enable subgroups;'])
        if (!code.includes(line)) code = `${line}\n${code}`;
    const sent = job.buffers.map((b) => ({ ...b, data: Array.from(b.data) }));
    const { memory, status, text } = await ask({ ...job, buffers: sent, code, bindings: bindingsOf(code) });
    const words = memory?.map((values, k) => memoryLine(job.buffers[k], values)).join('');
    if (saidIn) writeFileSync(saidIn, `${code}\n${words ?? text}\n`);
    if (!memory) throw new Answer(status, text);
    writeFileSync(out, words);
}

const { ready, subgroupMinSize: least, subgroupMaxSize: most } = said;
await serve(`${ready}${least === most ? `\tsubgroup=${least}` : ''}\treconvergence=no`,
    (line) => process.stdout.write(`${line}\n`), run);
browser.removeAllListeners('exit');
browser.kill('SIGKILL');
process.exit(0);
