# SPDX-License-Identifier: Apache-2.0
#
# What the fuzz targets read, as folders of corpus/seeds. Sourced by whatever runs, tests or ships them.

# kinds_of TARGET: choices (of the generator, after the 16 bytes that choose sizes and passes), modules (after such 16
# bytes), binaries (modules, and nothing before them), cases (case files), frames (between supervisor and worker), ir
# (LLVM IR as words), assembly (AMD's, behind a byte that chooses a GPU), nak (NVIDIA's, behind a byte), ir3 (Qualcomm's, behind a byte), nir (Mesa's, behind a byte that chooses a driver), states and findings (files of folders, each ended by the byte 0x1e), databases.
# tf_oracle_words_fuzzer takes two.
kinds_of() {
    case $(basename "$1") in
    tf_case_reader_*) echo cases ;;
    tf_module_reader_* | spvtools_*) echo binaries ;;
    tf_frames_*) echo frames ;;
    tf_llir_*) echo ir ;;
    tf_amd_*) echo assembly ;;
    tf_nir_*) echo nir ;;
    tf_nak_*) echo nak ;;
    tf_ir3_*) echo ir3 ;;
    tf_state_*) echo states ;;
    tf_finding_folder_*) echo findings ;;
    tf_database_*) echo databases ;;
    tf_oracle_words_* | tf_printers_*) echo binaries choices ;;
    tf_spirv_opt_module_*) echo modules ;;
    *) echo choices ;;
    esac
}
