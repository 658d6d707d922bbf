# SPDX-License-Identifier: Apache-2.0
#
# project_files ROOT: prints the project's existing files, one per line, relative to ROOT: those tracked by git; in a tree
# without git (an unpacked archive), those in the project's folders that are not outputs. Files that a user creates are not
# listed. Sourced.

# The top folders of an archive; tests/suite_test.sh compares them with git.
project_folders='.ci .clusterfuzzlite app backends base campaign cmake corpus device docs examples generator judge oracle portable
    reduce runners scripts selftest spirv tests triage'

project_files() (
    cd "$1" || exit 1
    # In a worktree .git is a file. A git of an enclosing tree does not know these files.
    if [ -e .git ] && git ls-files -z >/dev/null 2>&1; then
        git ls-files -z | tr '\0' '\n' | while IFS= read -r file; do
            # Skip files that are deleted but still tracked.
            if [ -e "$file" ]; then echo "$file"; fi
        done
    else
        find . -mindepth 1 -maxdepth 1 -type f -printf '%P\n'
        # shellcheck disable=SC2086
        find $project_folders \( -name 'build*' -o -name '*-out*' -o -name '*.reduced' -o -name __pycache__ \) -type d -prune \
            -o \( -type f -o -type l \) ! -name '*~' ! -name '*.swp' -print 2>/dev/null
    fi | LC_ALL=C sort
)
