# SPDX-License-Identifier: Apache-2.0
#
# The kinds of input of each fuzz target; each kind is a folder of corpus/seeds. Sourced by the scripts that run, test
# or ship the targets.

# kinds_of TARGET prints one or two of these:
#   choices          the generator's choices, after 16 bytes that choose sizes and passes
#   modules          SPIR-V, after 16 such bytes
#   binaries         SPIR-V only
#   cases            case files
#   frames           messages between supervisor and worker
#   links, hosts     messages of a device program elsewhere, and to one
#   ir               LLVM IR as words
#   assembly         AMD machine code, after a byte that chooses a GPU
#   nak, ir3         NVIDIA and Qualcomm machine code, after one byte
#   nir              Mesa's NIR, after a byte that chooses a driver
#   states, findings files of folders, each terminated by the byte 0x1e
#   databases        findings.db
kinds_of() {
    case $(basename "$1") in
    tf_case_reader_*) echo cases ;;
    tf_module_reader_* | spvtools_*) echo binaries ;;
    tf_frames_*) echo frames ;;
    tf_relay_*) echo links ;;
    tf_serve_*) echo hosts ;;
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
