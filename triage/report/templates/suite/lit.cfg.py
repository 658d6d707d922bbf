# Runs the cases of this folder through a compiler or driver: lit --param target=SPEC [--param tanglefuzz=PATH] .
# SPEC is a target of tanglefuzz, "exec-compiler:my-opt {in} -o {out}".
import os
import shlex

import lit.formats

config.name = "Reconvergence"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".spvasm"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.getcwd()
config.substitutions.append(("%{tanglefuzz}", shlex.quote(lit_config.params.get("tanglefuzz", "tanglefuzz"))))
config.substitutions.append(("%{target}", shlex.quote(lit_config.params.get("target", "spirv-opt:-O"))))
