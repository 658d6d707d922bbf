#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A case that does not bind what its module samples, or binds it in another form: one line, status 2, no memory. Each is a case
# of corpus/ with one line changed; unchanged it is predicted.
. "$SOURCE_DIR/tests/app_lib.sh" || exit 1
corpus=$SOURCE_DIR/corpus
ask() { "$TANGLEFUZZ" predict changed.spvasm; }

t unchanged 0 '^memory 0:0' '' "$TANGLEFUZZ" predict "$corpus/rules/R11-level-by-derivatives.spvasm"
bad() { # NAME CASE SED MESSAGE
    sed -e '/^; expect/d' -e "$3" "$corpus/$2.spvasm" >changed.spvasm
    cmp -s changed.spvasm <(sed '/^; expect/d' "$corpus/$2.spvasm") && fail "$1" "nothing was changed"
    t "$1" 2 '' "$4" ask
    report "$1: one line" "$([ "$(wc -l <err)" = 1 ] || cat err)"
}
sample=rules/R11-level-by-derivatives
bad no-image $sample '/^; image/d' 'bound to 0:1, for which the case has no sampled image'
bad no-sampler $sample '/^; sampler/d' 'bound to 0:1, for which the case has no sampler'
bad a-sampler-for-an-image $sample 's/^; image 0:1/; image 0:2/' 'bound to 0:1, for which the case has no sampled image'
bad a-storage-image $sample 's/ levels 5 .*/ zero 256/; /^; sampler/d' 'has no sampled image'
bad another-shape $sample 's/ 2d 16 16 / 1d 16 /' 'of a 2d image, the case has a 1d one at 0:1'
bad another-type $sample 's/ r32f / r32i /' 'of an image of another type than r32i'
bad no-storage-image ops/image-read-and-write '/^; image/d' 'bound to 0:1, for which the case has no storage image'
bad a-buffer-for-an-image ops/image-read-and-write 's/^; image 0:1 .*/; buffer 0:1 zero 8/' 'has no storage image'
bad an-image-for-a-buffer ops/image-read-and-write 's/^; buffer 0:0 zero 32/; image 0:0 2d 8 4 r32ui zero 32/' 'is a buffer, and the case has an image at 0:0'
bad another-format ops/image-read-and-write 's/ r32ui u32 .*/ rgba32ui zero 32/' 'of a r32ui image, the case has a rgba32ui one at 0:1'
bad too-few-descriptors rules/R10-waterfall 's/ count 2 / /; s/ 11 21 31 41 51//; s/ lod 0 1000$//' 'has 2 descriptors, the case has 1 at 0:1'
bad linear-between-integers ops/image-of-integers 's/ nearest / linear /' 'filters linearly between levels, but the image has integer components'
