export const description = `
Subgroup operations in divergent control flow. Each test is a shader whose results are those of
SPV_KHR_maximal_reconvergence; WGSL itself does not promise them. See README.md.
`;

import { makeTestGroup } from '../../../../common/framework/test_group.js';
import { keysOf } from '../../../../common/util/data_tables.js';
import { AllFeaturesMaxLimitsGPUTest } from '../../../gpu_test.js';

export const g = makeTestGroup(AllFeaturesMaxLimitsGPUTest);

// Of each buffer its size in words, its contents before and after a right run. Without `data` it is
// zero. A bit that is 0 in the mask is not compared; without a mask all are.
const tests = {
{{#tests}}
  // {{{line}}}{{#classes}} ({{{classes}}}){{/classes}}
{{#seen}}
  // Seen in a real compiler or driver: {{{seen}}}
{{/seen}}
{{#rules}}
  // Rules that it exercises: {{{rules}}}.
{{/rules}}
{{#wrong}}
  // With the mistake: {{{wrong}}}
{{/wrong}}
  // Program: {{{program}}}
  '{{{name}}}': {
    groups: [{{groups}}],
    lanes: {{lanes}},
    buffers: [
{{#buffers}}
      {
        binding: {{binding}},
        size: {{size}},
        data: [{{data}}],
        right: [{{right}}],
        mask: [{{mask}}],
      },
{{/buffers}}
    ],
    code: `
{{{wgsl}}}`,
  },
{{/tests}}
};

g.test('small')
  .desc('Runs a shader and compares its buffers with the expected ones.')
  .params(u => u.combine('name', keysOf(tests)))
  .fn(async t => {
    t.skipIfDeviceDoesNotHaveFeature('subgroups');
    t.skipIfLanguageFeatureNotSupported('subgroup_id');
    const { groups, lanes, buffers, code } = tests[t.params.name];
    const layout = t.device.createBindGroupLayout({
      entries: buffers.map(({ binding }) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: {
          type: new RegExp(`@binding\\(${binding}\\) var<storage, read_write>`).test(code)
            ? 'storage'
            : 'read-only-storage',
        },
      })),
    });
    const pipeline = t.device.createComputePipeline({
      layout: t.device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: t.device.createShaderModule({ code }), entryPoint: 'main' },
    });
    const made = buffers.map(({ size, data }) => {
      const words = new Uint32Array(size);
      words.set(data);
      return t.makeBufferWithContents(
        words,
        GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
      );
    });
    const bindGroup = t.device.createBindGroup({
      layout,
      entries: buffers.map(({ binding }, i) => ({ binding, resource: { buffer: made[i] } })),
    });
    const encoder = t.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(groups[0], groups[1], groups[2]);
    pass.end();
    t.device.queue.submit([encoder.finish()]);

    const after = await Promise.all(
      buffers.map(({ size }, i) =>
        t.readGPUBufferRangeTyped(made[i], { type: Uint32Array, typedLength: size })
      )
    );
    // Subgroup, lane and subgroup size of each invocation: the results hold for these.
    const at = buffers.findIndex(({ binding }) => binding === lanes);
    t.skipIf(
      at >= 0 && buffers[at].right.some((v, k) => v !== after[at].data[k]),
      'subgroups of another size, or other lanes'
    );
    buffers.forEach(({ binding, right, mask }, i) => {
      const wrong = right.findIndex((v, k) => ((v ^ after[i].data[k]) & (mask[k] ?? -1)) !== 0);
      t.expect(
        wrong < 0,
        `binding ${binding}, word ${wrong}: got ${after[i].data[wrong]}, expected ${right[wrong]}`
      );
    });
  });
