# SPDX-License-Identifier: Apache-2.0
"""check_offload.py PIPELINE.yaml: a pipeline as offload-test-suite reads it, as far as compute shaders over
structured buffers go: known keys alone, sizes that fit, results and resources that name buffers that are there."""
import sys

import yaml

KEYS = {"Shaders": {"Stage", "Entry"}, "Buffers": {"Name", "Format", "Stride", "Data"},
        "Results": {"Result", "Rule", "Actual", "Expected"}, "DescriptorSets": {"Resources"}}
p = yaml.safe_load(open(sys.argv[1]))
assert set(p) <= set(KEYS) | {"DispatchParameters"}, p.keys()
for key, known in KEYS.items():
    assert isinstance(p[key], list) and p[key], key
    for row in p[key]:
        assert set(row) == known, (key, row)
assert len(p["DispatchParameters"]["DispatchGroupCount"]) == 3
buffers = {b["Name"]: b for b in p["Buffers"]}
assert len(buffers) == len(p["Buffers"])
for b in buffers.values():
    assert b["Format"] == "UInt32" and b["Stride"] == 4 and b["Data"] and all(0 <= x < 1 << 32 for x in b["Data"])
for r in p["Results"]:
    assert r["Rule"] == "BufferExact"
    assert len(buffers[r["Actual"]]["Data"]) == len(buffers[r["Expected"]]["Data"])
bound = [r for s in p["DescriptorSets"] for r in s["Resources"]]
for r in bound:
    assert set(r) == {"Name", "Kind", "DirectXBinding", "VulkanBinding"} and r["Kind"] == "RWStructuredBuffer"
    assert r["Name"] in buffers
assert {r["Actual"] for r in p["Results"]} <= {r["Name"] for r in bound}
print(len(p["Results"]), "results")
