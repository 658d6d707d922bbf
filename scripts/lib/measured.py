#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The head of every page of docs/measured: its command and date.

usage: scripts/lib/measured.py TITLE COMMAND...     prints it; scripts in Python import head()
"""
import datetime
import sys


def head(title, *commands):
    lines = [f"# {title}", ""]
    lines += [f"- Command: `{c}`" for c in commands]
    lines += [f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"]
    return "\n".join(lines) + "\n\n"


if __name__ == "__main__":
    print(head(*sys.argv[1:]), end="")
