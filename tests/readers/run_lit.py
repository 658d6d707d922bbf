# SPDX-License-Identifier: Apache-2.0
"""run_lit.py FILE [NAME=VALUE]...: its RUN lines, as lit runs them (%s, %t, %if spirv-tools, %{NAME}), by the programs of PATH.
Status 1: one failed."""
import os
import re
import shlex
import subprocess
import sys

path = os.path.abspath(sys.argv[1])
runs = re.findall(r"^(?:;|#|//) RUN: (.*)$", open(path).read(), re.M)
if not runs:
    sys.exit("no RUN line")
for run in runs:
    run = re.sub(r"%if spirv-tools %\{(.*?)%\}", r"\1", run)
    for name, value in (x.split("=", 1) for x in sys.argv[2:]):
        run = run.replace("%{" + name + "}", shlex.quote(value))
    run = run.replace("%s", path).replace("%t", os.path.join(os.getcwd(), "run_lit.tmp"))
    done = subprocess.run(["bash", "-o", "pipefail", "-c", run], capture_output=True, text=True, timeout=60)
    if done.returncode:
        print(f"failed: {run}\n{done.stderr[-1500:]}")
        sys.exit(1)
