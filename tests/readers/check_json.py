# SPDX-License-Identifier: Apache-2.0
"""check_json.py SCHEMA FILE...: each JSON document (.json, .sarif) or each line (.jsonl) of the
files against a JSON Schema. Knows the part of JSON Schema that our schemas use and refuses others."""
import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "title", "description", "type", "const", "enum", "pattern", "minimum", "items",
         "minItems", "properties", "required", "additionalProperties", "oneOf", "$defs", "$ref"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def problems(value, schema, root, at="$"):
    if set(schema) - KNOWN:
        sys.exit(f"schema uses {set(schema) - KNOWN}, which this reader does not know")
    if "$ref" in schema:
        return problems(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, at)
    out = []
    if "oneOf" in schema:
        tried = [problems(value, s, root, at) for s in schema["oneOf"]]
        if sum(not t for t in tried) != 1:
            out.append(min(tried, key=len) or [f"{at}: fits several of oneOf"])
            return out[0]
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, n) for n in names):
            return [f"{at}: {value!r} is not {' or '.join(names)}"]
    if "const" in schema and value != schema["const"]:
        out.append(f"{at}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        out.append(f"{at}: {value!r} is none of {schema['enum']}")
    if "minimum" in schema and is_type(value, "number") and value < schema["minimum"]:
        out.append(f"{at}: {value} is below {schema['minimum']}")
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        out.append(f"{at}: {value!r} does not match {schema['pattern']}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        out += [f"{at}: no {k}" for k in schema.get("required", []) if k not in value]
        for k, v in value.items():
            if k in known:
                out += problems(v, known[k], root, f"{at}.{k}")
            elif schema.get("additionalProperties") is False:
                out.append(f"{at}: unknown key {k}")
            elif isinstance(schema.get("additionalProperties"), dict):
                out += problems(v, schema["additionalProperties"], root, f"{at}.{k}")
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            out.append(f"{at}: fewer than {schema['minItems']}")
        for i, v in enumerate(value):
            out += problems(v, schema.get("items", {}), root, f"{at}[{i}]")
    return out


def main():
    schema = json.load(open(sys.argv[1]))
    bad = n = 0
    for path in sys.argv[2:]:
        text = open(path, encoding="utf-8").read()
        for doc in text.splitlines() if path.endswith(".jsonl") else [text]:
            n += 1
            for p in problems(json.loads(doc), schema, schema):
                print(f"{path}: {p}")
                bad += 1
    print(f"{n} documents, {bad} problems")
    sys.exit(bad != 0 or n == 0)


main()
