# SPDX-License-Identifier: Apache-2.0
#
# What the fuzz targets read, as folders of corpus/seeds. Sourced by whatever runs, tests or ships them.

# kinds_of TARGET: choices (of the generator, after the 16 bytes that choose sizes and passes), modules (after such 16
# bytes), binaries (modules, and nothing before them), cases (case files). tf_oracle_words_fuzzer takes two.
kinds_of() {
    case $(basename "$1") in
    tf_case_reader_*) echo cases ;;
    tf_module_reader_* | spvtools_*) echo binaries ;;
    tf_oracle_words_*) echo binaries choices ;;
    tf_spirv_opt_module_*) echo modules ;;
    *) echo choices ;;
    esac
}
