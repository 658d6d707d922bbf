# SPDX-License-Identifier: Apache-2.0
#
# project_files ROOT: the project's own files that are there, one a line, from ROOT: what git tracks; in a tree without git
# (an unpacked archive) what lies in the project's own folders and is no output. What a user makes in the tree is not
# listed. Sourced.

# The folders that an archive has at its top; tests/suite_test.sh holds them against git.
project_folders='.ci .clusterfuzzlite app backends base campaign cmake corpus docs examples generator judge oracle portable
    reduce runners scripts selftest spirv tests triage'

project_files() (
    cd "$1" || exit 1
    # The file .git is a worktree's. A git of another tree around this one knows nothing of it.
    if [ -e .git ] && git ls-files -z >/dev/null 2>&1; then
        git ls-files -z | tr '\0' '\n' | while IFS= read -r file; do
            # One that is deleted, and not yet in a commit, is gone.
            if [ -e "$file" ]; then echo "$file"; fi
        done
    else
        find . -mindepth 1 -maxdepth 1 -type f -printf '%P\n'
        # shellcheck disable=SC2086
        find $project_folders \( -name 'build*' -o -name '*-out*' -o -name '*.reduced' -o -name __pycache__ \) -type d -prune \
            -o \( -type f -o -type l \) ! -name '*~' ! -name '*.swp' -print 2>/dev/null
    fi | LC_ALL=C sort
)
