#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The head of every page of docs/measured: its reader and question, command and date.

usage: scripts/lib/measured.py TITLE READER COMMAND...     prints it; scripts in Python import head()

READER is one line, for example "For farm operators: how many workers does one database serve?"
"""
import datetime
import sys
import textwrap


def head(title, reader, *commands):
    lines = [f"# {title}", "", reader, ""]
    lines += [f"- Command: `{c}`" for c in commands]
    lines += [f"- Date: {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d}"]
    return "\n".join(lines) + "\n\n"


def prose(text):
    """Returns a paragraph in lines of at most 100 columns, followed by an empty line."""
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False) + "\n\n"


if __name__ == "__main__":
    print(head(*sys.argv[1:]), end="")
