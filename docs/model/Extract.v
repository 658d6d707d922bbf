(* SPDX-License-Identifier: Apache-2.0 *)

(* Rules.v as OCaml, for check.ml. Numbers are OCaml's, truth values and lists too. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Model Require Import Rules.

Extraction "rules.ml" classify verdict decide fate_from fate_in_quad
  may_be_gone apart_by_quad dominates merge_block continue_target.
