#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The third reading of the rules (docs/model/): proves the lemmas with Coq, extracts the rules to
# OCaml, and compares their tangles with the oracle's. Needs coqc and ocamlopt (Debian: coq).
# Status 0: all agree, 1: they differ or a proof fails, 77: coqc or ocamlopt is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    cat <<'HELP'
usage: scripts/model.sh [--size K] [--stage S --numbers A:B] [--build DIR]

  --size K        all compute and fragment programs of at most K constructs; default 4
  --stage S --numbers A:B
                  of these only the programs A to B-1 of stage compute or fragment, and not the corpus: a part of the work
  --build DIR     build with tests/model_export; default build/release

examples: scripts/model.sh --size 3
          scripts/model.sh --stage fragment --numbers 22000:37667
HELP
}

size=4 build=build/release stage= numbers=
while [ $# -gt 0 ]; do
    case $1 in
    --size | --build | --stage | --numbers)
        [ $# -ge 2 ] || { echo "model: $1 needs a value" >&2 && exit 2; }
        case $1 in --size) size=$2 ;; --build) build=$2 ;; --stage) stage=$2 ;; *) numbers=$2 ;; esac
        shift
        ;;
    -h | --help) usage && exit 0 ;;
    *) echo "model: unknown argument '$1' (see --help)" >&2 && exit 2 ;;
    esac
    shift
done
[ "${stage:+x}" = "${numbers:+x}" ] || { echo "model: --stage and --numbers go together" >&2 && exit 2; }
case $stage in '' | compute | fragment) ;; *) echo "model: --stage: '$stage' is not compute or fragment" >&2 && exit 2 ;; esac
[[ $numbers =~ ^([0-9]+:[0-9]+)?$ ]] || { echo "model: --numbers: '$numbers' is not A:B" >&2 && exit 2; }
export_to_text=$build/tests/model_export
[ -x "$export_to_text" ] || { echo "model: no $export_to_text: build it first (cmake --preset release)" >&2 && exit 2; }
export_to_text=$(realpath "$export_to_text")
for tool in coqc ocamlopt; do
    command -v $tool >/dev/null || { echo "model: no $tool (Debian: apt-get install coq); nothing was checked" >&2 && exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp docs/model/*.v docs/model/check.ml "$work"
(
    cd "$work"
    for file in Rules Lemmas Questions Extract; do
        coqc -Q . Model $file.v || { echo "model: $file.v is not accepted" >&2 && exit 1; }
    done
    ! grep -nE '\b(Admitted|admit|Axiom|Parameter)\b' ./*.v || { echo "model: a proof is missing" >&2 && exit 1; }
    ocamlopt -w -a -o check rules.mli rules.ml check.ml
)
status=0
check() { # TITLE ARGUMENT...: compares what model_export prints for the arguments
    echo "$1:"
    shift
    { "$export_to_text" "$@" 2>"$work/refused" || true; } | "$work/check" || status=1
    [ ! -s "$work/refused" ] || echo "$(wc -l <"$work/refused") of the programs cannot be run by the oracle to their end"
    [ "$1" != enumerate ] || [ ! -s "$work/refused" ] || status=1 # each small program can
}
if [ -n "$numbers" ]; then
    check "the $stage programs ${numbers/:/ to }, the last one excluded" enumerate "$stage" "$size" 4 "$numbers"
    exit $status
fi
check "all compute programs of at most $size constructs, two input sets" enumerate compute "$size" 4
check "all fragment programs of at most $size constructs, a quad in a subgroup" enumerate fragment "$size" 4
check "all fragment programs of at most $((size > 1 ? size - 1 : 1)) constructs, two quads in a subgroup" \
    enumerate fragment $((size > 1 ? size - 1 : 1)) 8
mapfile -t cases < <(find corpus/rules corpus/ops -name '*.spvasm' | sort)
check "the cases of corpus/rules and corpus/ops" "${cases[@]}"
exit $status
