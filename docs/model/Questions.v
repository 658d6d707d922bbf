(* SPDX-License-Identifier: Apache-2.0 *)

(* Questions that the text of SPV_KHR_maximal_reconvergence (revision 2) leaves
   open, each with its two readings and a program. Coq computes what each reading
   says; docs/rules.md has the one that tanglefuzz follows (R1, R3, R5, R14).

   A path is the list of blocks that one invocation executes. `fate` tells what
   becomes of an invocation of T(M) with regard to M's join: it Arrives there, it
   Escapes, or Neither: it is required at a block that it never executes. *)

From Coq Require Import List.
From Model Require Import Rules.
Import ListNotations.

Definition fate r p c h to w := fate_from r p c h to w 0.

(* How two positions of two invocations relate, if `same` holds for earlier ones. *)
Definition asked p w n w' n' same :=
  verdict same (classify p w (fun k => at_ w (S k)) n) (classify p w' (fun k => at_ w' (S k)) n').

(* ---- 1. Does a break escape the loop's own continue target? --------------------

   E4: "... to branch to the Merge Block or Continue Target for a merge instruction
   instance that strictly dominates I." M4: "T(L) will include all non-escaping
   invocations in T(M)", with L the continue target, M the loop's own OpLoopMerge.
   No instruction strictly dominates itself. So literally an invocation that breaks
   does not escape M, and must be at a continue target that it never executes.
   Ours: a branch to the loop's own merge block escapes M4, not M3.

       while (i < n) { ballot }          "tanglefuzz enumerate --number 27"       *)

Definition loop : program :=
  [ Block 1 0 NoMerge (Branch 2);
    Block 2 0 (LoopMerge 6 5) (Branch 3);
    Block 3 0 NoMerge (BranchConditional 4 6);
    Block 4 0 NoMerge (Branch 5);
    Block 5 0 NoMerge (Branch 2);
    Block 6 0 NoMerge Return ].

Example it_goes_on : fate Literal loop M4 2 5 [2; 3; 4; 5; 2; 3; 6] = Arrives.
Proof. reflexivity. Qed.
Example it_breaks_literally : fate Literal loop M4 2 5 [2; 3; 6] = Neither.
Proof. reflexivity. Qed.
Example it_breaks_ours : fate Ours loop M4 2 5 [2; 3; 6] = Escapes.
Proof. reflexivity. Qed.
Example both_are_at_the_merge_block : fate Literal loop M3 2 6 [2; 3; 6] = Arrives.
Proof. reflexivity. Qed.

(* ---- 2. Does an OpSwitch escape? -------------------------------------------------

   E4 names OpBranch and OpBranchConditional. An OpSwitch with a target that is the
   merge block of a loop around it leaves the switch's own merge block, too, but
   literally does not escape it. (2.11.3 may forbid such a target: a switch's header
   must structurally dominate its case constructs.) Ours: it escapes.

       for (;;) { switch (x) { case 0: break the loop; default: ballot }; ballot }  *)

Definition switch_in_loop : program :=
  [ Block 1 0 NoMerge (Branch 2);
    Block 2 0 (LoopMerge 7 6) (Branch 3);
    Block 3 0 (SelectionMerge 5) (Switch 4 [7]);
    Block 4 0 NoMerge (Branch 5);
    Block 5 0 NoMerge (Branch 6);
    Block 6 0 NoMerge (Branch 2);
    Block 7 0 NoMerge Return ].

Example it_stays : fate Literal switch_in_loop M1 3 5 [3; 4; 5; 6] = Arrives.
Proof. reflexivity. Qed.
Example it_leaves_literally : fate Literal switch_in_loop M1 3 5 [3; 7] = Neither.
Proof. reflexivity. Qed.
Example it_leaves_ours : fate Ours switch_in_loop M1 3 5 [3; 7] = Escapes.
Proof. reflexivity. Qed.

(* ---- 3. Which invocations may fall-through separate? ------------------------------

   M2: "T(L) may include a subset of non-escaping invocations in T(S)." Any subset,
   or a union of the tangles that arrive? By the first reading two invocations that
   fall through together may be separated at L; but no instruction that they execute
   is one of those that "can produce a divergence". Ours: the second. It leaves open
   whether they join those that enter the case directly, and nothing else.

       switch (x) { case 0: A; fall through; case 1: ballot }                       *)

Definition fall : program :=
  [ Block 1 0 (SelectionMerge 4) (Switch 4 [2; 3]);
    Block 2 0 NoMerge (Branch 3);
    Block 3 0 NoMerge (Branch 4);
    Block 4 0 NoMerge Return ].

Example fallen_and_entered : asked fall [1; 2; 3; 4] 2 [1; 3; 4] 1 (fun _ _ => true) = May.
Proof. reflexivity. Qed.
Example fallen_together : asked fall [1; 2; 3; 4] 2 [1; 2; 3; 4] 2 (fun _ _ => true) = Must.
Proof. reflexivity. Qed.

(* ---- 4. When does an OpReturn escape? ----------------------------------------------

   An invocation "escapes reconvergence when that invocation is in T(I), but not in
   T(L). This only occurs when: ... The invocation executes OpReturn". At any time, or
   between I and L? Every invocation of an entry point returns at some time: by the
   first reading everyone escapes everything in it, and no join is required. Ours:
   between I and L; who leaves the construct another way must have escaped by then.

       if (x) { if (y) return; A }; ballot                                          *)

Definition early : program :=
  [ Block 1 0 (SelectionMerge 5) (BranchConditional 2 5);
    Block 2 0 (SelectionMerge 4) (BranchConditional 3 4);
    Block 3 0 NoMerge Return;
    Block 4 0 NoMerge (Branch 5);
    Block 5 0 NoMerge Return ].

Example it_returns_before : fate Literal early M1 1 5 [1; 2; 3] = Escapes.
Proof. reflexivity. Qed.
Example it_returns_after : fate Literal early M1 1 5 [1; 2; 4; 5] = Arrives.
Proof. reflexivity. Qed.

(* ---- 5. Is the end of a call a join without the execution mode? ----------------------

   M5 is a rule for entry points with the mode. The extension also has a note: "function
   call return acts as reconvergence point". A note about SPIR-V, or about M5? Ours, for
   modules without the mode: the end of a call promises nothing by itself. So two
   invocations that returned at different places are together after the call by the
   first reading (Joins M5), and perhaps not by the second (Step).

       f() { if (x) return; A }    f(); ballot   "tanglefuzz enumerate --number 438450" *)

Definition call : program :=
  [ Block 1 0 NoMerge (Call 3 2);
    Block 2 0 NoMerge Return;
    Block 3 1 (SelectionMerge 5) (BranchConditional 4 5);
    Block 4 1 NoMerge Return;
    Block 5 1 NoMerge Return ].

Example with_the_mode : asked call [1; 3; 4; 2] 3 [1; 3; 5; 2] 3 (fun _ _ => true) = Must.
Proof. reflexivity. Qed.
Example by_the_other_reading : verdict (fun _ _ => true) (Step 4 2 2) (Step 5 2 2) = MustNot.
Proof. reflexivity. Qed.

(* ---- 6. A loop of one block, entered again ---------------------------------------------

   Its label is its own continue target. M4: "M is the last execution of the OpLoopMerge
   before executing L for i". When an outer loop enters it again, that is literally the
   last iteration of the entry before, so T(L) would have to include the invocations of
   that iteration. Ours (R5): of this entry.

       for (..) { do { ballot } while (x) }                                            *)

Definition one_block : program :=
  [ Block 1 0 NoMerge (Branch 2);
    Block 2 0 (LoopMerge 6 5) (BranchConditional 3 6);
    Block 3 0 (LoopMerge 4 3) (BranchConditional 3 4);
    Block 4 0 NoMerge (Branch 5);
    Block 5 0 NoMerge (Branch 2);
    Block 6 0 NoMerge Return ].
Definition twice := [1; 2; 3; 4; 5; 2; 3; 4; 5; 2; 6].

Example literally_the_entry_before : last_before twice 3 6 = 2.
Proof. reflexivity. Qed.
Example ours_an_entry_of_its_own : classify one_block twice (fun _ => 0) 6 = Step 2 3 5.
Proof. reflexivity. Qed.

(* ---- 7. Does the end of the entry point end a quad? ------------------------------------

   E2 and D4 name OpDemoteToHelperInvocation, OpTerminateInvocation and OpKill. When the
   last live invocation of a quad returns, only helpers are left, too. By Vulkan
   such a quad may end (R14); to the letter of E2 its helpers do not escape, and whoever
   waits for them at a join must wait. Ours: it may end. (Invocations 0 to 2 are demoted,
   3 returns.)

       if (x) demote; if (y) return; ballot                                          *)

Definition last_returns : program :=
  [ Block 1 0 (SelectionMerge 4) (BranchConditional 2 4);
    Block 2 0 NoMerge (Demote 3);
    Block 3 0 NoMerge (Branch 4);
    Block 4 0 (SelectionMerge 6) (BranchConditional 5 6);
    Block 5 0 NoMerge Return;
    Block 6 0 NoMerge Return ].
Definition demoted := Member false [1; 2; 3; 4].
Definition with_the_last := [ demoted; demoted; demoted; Member false [1; 4; 5] ].

Example they_go_on : may_be_gone Literal last_returns with_the_last demoted 4 = false.
Proof. reflexivity. Qed.
Example they_may_be_gone : may_be_gone Ours last_returns with_the_last demoted 4 = true.
Proof. reflexivity. Qed.
Example literally_awaited :
  fate_in_quad Literal last_returns with_the_last M1 4 6 [4] = Neither.
Proof. reflexivity. Qed.
Example they_escape : fate_in_quad Ours last_returns with_the_last M1 4 6 [4] = Escapes.
Proof. reflexivity. Qed.
