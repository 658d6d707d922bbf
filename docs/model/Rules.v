(* SPDX-License-Identifier: Apache-2.0 *)

(* Which invocations execute an instruction together? The clauses of
   SPV_KHR_maximal_reconvergence (revision 2), transcribed one by one; their
   numbers are those of docs/rules.md. Each clause is quoted above its
   definition.

   A program is its control flow graph. An invocation is the path that it takes:
   the list of blocks that it executes. A dynamic instance of a block, as one
   invocation sees it, is a position on its path. The rules then say, for two
   positions of two invocations, whether they are the same dynamic instance.
   The set of invocations with a position at one instance is its tangle. Within a
   block no tangle changes (D5), so a block has one tangle for all its
   instructions. A block with a call or a demotion is two: one that ends with it,
   one that begins after it. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

(* ---- programs ---------------------------------------------------------- *)

Definition label := nat.

Inductive merging :=
| NoMerge
| SelectionMerge (merge_block : label)
| LoopMerge (merge_block continue_target : label).

Inductive ending :=
| Branch (target : label)
| BranchConditional (true_label false_label : label)
| Switch (default : label) (targets : list label)
| Call (callee next : label) (* first block of the callee; the block after the call *)
| Demote (next : label) (* OpDemoteToHelperInvocation; the rest of the block *)
| Return
| Ends. (* OpTerminateInvocation, OpKill *)

Record block := Block
  { name : label; function : nat; merge : merging; finish : ending }.

(* The blocks of a function are consecutive, its first block comes first. *)
Definition program := list block.

Fixpoint find (p : program) (l : label) : option block :=
  match p with
  | [] => None
  | b :: rest => if name b =? l then Some b else find rest l
  end.

Definition function_of (p : program) (l : label) : nat :=
  match find p l with Some b => function b | None => 0 end.

Definition successors (b : block) : list label :=
  match finish b with
  | Branch t => [t]
  | BranchConditional t f => [t; f]
  | Switch d ts => d :: ts
  | Call _ next | Demote next => [next]
  | Return | Ends => []
  end.

Definition member (l : label) (ls : list label) : bool := existsb (Nat.eqb l) ls.

(* The blocks that can be reached from `todo` without `avoid`. *)
Fixpoint reach (p : program) (avoid : label) (fuel : nat) (seen todo : list label)
  : list label :=
  match fuel with
  | 0 => seen
  | S fuel =>
      match todo with
      | [] => seen
      | l :: rest =>
          if (l =? avoid) || member l seen then reach p avoid fuel seen rest
          else match find p l with
               | Some b => reach p avoid fuel (l :: seen) (successors b ++ rest)
               | None => reach p avoid fuel seen rest
               end
      end
  end.

Definition edges (p : program) : nat :=
  fold_right (fun b n => length (successors b) + n) 1 p.

Definition first_of (p : program) (f : nat) : label :=
  match filter (fun b => function b =? f) p with b :: _ => name b | [] => 0 end.

(* Every path from the function's first block to `b` contains `a`. *)
Definition dominates (p : program) (a b : label) : bool :=
  (function_of p a =? function_of p b) &&
  ((a =? b) || negb (member b (reach p a (edges p) [] [first_of p (function_of p a)]))).

Definition strictly_dominates (p : program) (a b : label) : bool :=
  negb (a =? b) && dominates p a b.

(* SPIR-V 2.11: a back edge goes to a block that dominates its source. *)
Definition back_edge (p : program) (from to : label) : bool := dominates p to from.

Definition merge_block (b : block) : option label :=
  match merge b with
  | NoMerge => None
  | SelectionMerge m => Some m
  | LoopMerge m _ => Some m
  end.

Definition continue_target (b : block) : option label :=
  match merge b with LoopMerge _ c => Some c | _ => None end.

Definition is (o : option label) (l : label) : bool :=
  match o with Some x => x =? l | None => false end.

Definition header (p : program) (what : block -> bool) : option label :=
  match filter what p with b :: _ => Some (name b) | [] => None end.

Definition selection_of (p : program) (l : label) : option label :=
  header p (fun b => match merge b with SelectionMerge m => m =? l | _ => false end).
Definition loop_of (p : program) (l : label) : option label :=
  header p (fun b => match merge b with LoopMerge m _ => m =? l | _ => false end).
Definition continue_of (p : program) (l : label) : option label :=
  header p (fun b => is (continue_target b) l && negb (name b =? l)).
Definition switch_of (p : program) (l : label) : option label :=
  header p (fun b => match finish b with Switch d ts => member l (d :: ts) | _ => false end).
Definition call_before (p : program) (l : label) : option label :=
  header p (fun b => match finish b with Call _ next => next =? l | _ => false end).

(* ---- paths ---------------------------------------------------------------- *)

Definition path := list label.
Definition at_ (w : path) (n : nat) : label := nth n w 0.

(* "the last execution ... before executing L": the last position of `l` before
   `n`; `n` if there is none. *)
Fixpoint last_before (w : path) (l : label) (n : nat) : nat :=
  match n with
  | 0 => 0
  | S k => if at_ w k =? l then k
           else let q := last_before w l k in if q =? k then n else q
  end.

(* "the last execution of the OpLoopMerge where i did not enter the basic block
   via the loop backedge". *)
Definition by_back_edge (p : program) (w : path) (l : label) (k : nat) : bool :=
  match k with
  | 0 => false
  | S j => back_edge p (at_ w j) l
  end.

Fixpoint last_entry (p : program) (w : path) (l : label) (n : nat) : nat :=
  match n with
  | 0 => 0
  | S k => if (at_ w k =? l) && negb (by_back_edge p w l k) then k
           else let q := last_entry p w l k in if q =? k then n else q
  end.

(* ---- escape ------------------------------------------------------------------ *)

(* Two readings of E4 and E2 (docs/rules.md, R1, R14): the letter of the text, and ours.
   Ours adds: a branch to the merge block of a loop escapes that loop's relation
   at its continue target; an OpSwitch can escape as a branch does; the end of the
   entry point ends an invocation for its quad. *)
Inductive reading := Literal | Ours.

Inductive clause := M1 | M3 | M4 | M5.

Definition escapable (r : reading) (b : block) : bool :=
  match finish b, r with
  | Branch _, _ | BranchConditional _ _, _ => true
  | Switch _ _, Ours => true
  | _, _ => false
  end.

(* `to` is the merge block or continue target of a merge instruction that strictly
   dominates the block `h`. *)
Definition outer_target (p : program) (h to : label) : bool :=
  existsb (fun o => strictly_dominates p (name o) h
                    && (is (merge_block o) to || is (continue_target o) to)) p.

Definition own_merge_block (p : program) (h to : label) : bool :=
  match find p h with Some b => is (merge_block b) to | None => false end.

(* E4: "Executing OpBranch or OpBranchConditional causes an invocation to branch
   to the Merge Block or Continue Target for a merge instruction instance that
   strictly dominates I." Here I is in block `h`. *)
Definition branch_escapes (r : reading) (p : program) (c : clause) (h from to : label) : bool :=
  match find p from with
  | Some b =>
      escapable r b &&
      (outer_target p h to
       || match r, c with
          | Ours, M4 => own_merge_block p h to
          | _, _ => false
          end)
  | None => false
  end.

(* What becomes of an invocation of T(I) that has executed I at position `q`. *)
Inductive fate := Arrives | Escapes | Neither.

(* E1: "The invocation executes OpTerminateInvocation or OpKill."
   E3: "The invocation executes OpReturn or OpReturnValue. Escaping in this manner
   only affects relations in the current function."
   `to`: the label at which I's relation joins. An invocation that leaves the
   construct in another way has not come, and the text does not say that it
   escaped. `depth`: calls below I's function. *)
Fixpoint fate_from (r : reading) (p : program) (c : clause) (h to : label)
  (w : path) (depth : nat) : fate :=
  match w with
  | [] => Neither
  | [last] => match find p last with
              | Some b => match finish b with Return | Ends => Escapes | _ => Neither end
              | None => Neither
              end
  | from :: (next :: _) as rest =>
      match find p from with
      | None => Neither
      | Some b =>
          match finish b, depth with
          | Ends, _ => Escapes
          | Return, 0 => Escapes
          | Return, S d => if (d =? 0) && (next =? to) then Arrives
                           else fate_from r p c h to rest d
          | Call _ _, d => fate_from r p c h to rest (S d)
          | _, S d => fate_from r p c h to rest depth
          | _, 0 =>
              if next =? to then Arrives
              else if branch_escapes r p c h from next then Escapes
              else if outer_target p h next || own_merge_block p h next then Neither
              else fate_from r p c h to rest 0
          end
      end
  end.

(* ---- quads ------------------------------------------------------------------- *)

(* An invocation of a quad: is it a helper from the start, and its path. *)
Record quad_member := Member { helper : bool; walk : path }.
Definition quad := list quad_member.

(* After this block the invocation is demoted or terminated. `Literal`: only the
   three instructions of E2 do that. `Ours`: the end of the entry point, too. *)
Definition gives_up (r : reading) (p : program) (entry : nat) (l : label) : bool :=
  match find p l with
  | Some b => match finish b, r with
              | Demote _, _ | Ends, _ => true
              | Return, Ours => function b =? entry
              | _, _ => false
              end
  | None => false
  end.

Definition entry_of (p : program) (w : path) : nat := function_of p (at_ w 0).

(* An invocation is no longer live before its position `n`. *)
Definition given_up (r : reading) (p : program) (m : quad_member) (n : nat) : bool :=
  helper m || existsb (gives_up r p (entry_of p (walk m))) (firstn n (walk m)).

Definition at_some_time (r : reading) (p : program) (m : quad_member) : bool :=
  given_up r p m (length (walk m)).

(* E2: "The last non-demoted, non-terminated invocation in the invocation's quad
   executes OpDemoteToHelperInvocation, OpTerminateInvocation, or OpKill." *)
Definition quad_ends (r : reading) (p : program) (q : quad) : bool :=
  forallb (at_some_time r p) q
  && existsb (fun m => negb (helper m) && at_some_time r p m) q.

Definition fate_in_quad (r : reading) (p : program) (q : quad) (c : clause) (h to : label)
  (w : path) : fate :=
  match fate_from r p c h to w 0 with
  | Neither => if quad_ends r p q then Escapes else Neither
  | f => f
  end.

(* D4: "An OpDemoteToHelperInvocation or OpKill instruction executed for the last
   non-demoted invocations in a quad. The newly demoted invocations may be in a
   different tangle causing a divergence to appear to occur for any instruction."
   "When the last invocation in a quad is demoted to a helper invocation, the whole
   quad may be terminated. [...] The invocations that were already helper invocations
   might be in vastly different points in the program execution."
   When, on the path of another invocation, is not told. So this holds for each
   position of `m` that follows its own demotion. *)
Definition may_be_gone (r : reading) (p : program) (q : quad) (m : quad_member) (n : nat) : bool :=
  quad_ends r p q && given_up r p m n.

(* ---- arrivals ------------------------------------------------------------------- *)

(* How an invocation comes to a position, with the earlier positions on which the
   rules depend. *)
Inductive arrival :=
| Start                                                  (* I1 *)
| Step (from to : label) (before : nat)                  (* D1, D5 *)
| Direct (switch to : label) (before selector : nat)     (* D2, D3 *)
| Falls (switch from to : label) (before last : nat)     (* M2 *)
| Joins (c : clause) (h to : label) (last : nat).        (* M1, M3, M4, M5 *)

(* R6: only an arrival from outside the loop is another construct's join. *)
Definition classify (p : program) (w : path) (selector : nat -> nat) (n : nat) : arrival :=
  match n with
  | 0 => Start
  | S k =>
      let a := at_ w k in
      let b := at_ w n in
      match find p a with
      | None => Step a b k
      | Some from =>
          match finish from with
          | Call _ _ | Demote _ => Step a b k
          | Return | Ends =>
              match call_before p b with
              | Some c => Joins M5 c b (last_before w c n)
              | None => Step a b k
              end
          | _ =>
              if back_edge p a b then Step a b k
              else match selection_of p b, loop_of p b, continue_of p b, switch_of p b with
                   | Some h, _, _, _ => Joins M1 h b (last_before w h n)
                   | _, Some h, _, _ => Joins M3 h b (last_entry p w h n)
                   | _, _, Some h, _ => Joins M4 h b (last_before w h n)
                   | _, _, _, Some s =>
                       if a =? s then Direct s b k (selector k)
                       else Falls s a b k (last_before w s n)
                   | _, _, _, _ => Step a b k
                   end
          end
      end
  end.

(* ---- the clauses ----------------------------------------------------------------- *)

Inductive answer := Must | May | MustNot.

Definition clause_eqb (x y : clause) : bool :=
  match x, y with
  | M1, M1 | M3, M3 | M4, M4 | M5, M5 => true
  | _, _ => false
  end.

Definition when (b : bool) (a : answer) : answer := if b then a else MustNot.

(* Are two positions one dynamic instance? `same q q'` answers that for earlier
   positions of the two invocations. *)
Definition verdict (same : nat -> nat -> bool) (x y : arrival) : answer :=
  match x, y with
  (* I1: "Let F be the first dynamically executed instruction in an entry point.
     T(F) will be converged." *)
  | Start, Start => Must
  (* D1: "All the invocations in T(I) for whom Condition evaluates to true are
     members of the tangle that executes True Label and the rest are in the tangle
     that executes False Label."
     D5: "The only instructions that can produce a divergence are ..."; "A tangle
     that executes an instance of a merge instruction, M, represents the maximal
     tangle for all of the invocations in T(M)." *)
  | Step a b k, Step a' b' k' =>
      when ((a =? a') && (b =? b')) (when (same k k') Must)
  (* D2: "Invocations in T(I) with the same Selector value will be partitioned into
     the same tangle, executing the associated case construct."
     D3: "Invocations with different Selector values executing the same case
     construct may be partitioned into the same tangle." *)
  | Direct s b k v, Direct s' b' k' v' =>
      when ((s =? s') && (b =? b')) (when (same k k') (if v =? v' then Must else May))
  (* M2: "L is related to S, and T(L) may include a subset of non-escaping
     invocations in T(S)". What falls through together stays together (D5). *)
  | Falls s a b k l, Falls s' a' b' k' l' =>
      when ((s =? s') && (b =? b'))
        (if (a =? a') && same k k' then Must else when (same l l') May)
  | Direct s b k _, Falls s' _ b' _ l' =>
      when ((s =? s') && (b =? b')) (when (same k l') May)
  | Falls s _ b _ l, Direct s' b' k' _ =>
      when ((s =? s') && (b =? b')) (when (same l k') May)
  (* M1: "M is the last execution of the OpSelectionMerge before executing L for i,
     then L is related to M, and T(L) will include all non-escaping invocations in
     T(M)".
     M3: "M is the last execution of the OpLoopMerge where i did not enter the basic
     block via the loop backedge before executing L for i, then ..."
     M4: "M is the last execution of the OpLoopMerge before executing L for i, then
     ..." (the label is the Continue Target)
     M5: "FC is the last execution of the OpFunctionCall before executing I for i,
     then ..." *)
  | Joins c h b l, Joins c' h' b' l' =>
      when (clause_eqb c c' && (h =? h') && (b =? b')) (when (same l l') Must)
  (* M6: "Invocations will not reconverge except at Merge Blocks, Continue Targets,
     and case constructs or after OpFunctionCall is executed." *)
  | _, _ => MustNot
  end.

(* D4, for two positions of which one may be gone: they may be apart, but nothing
   comes together by it. *)
Definition apart_by_quad (gone : bool) (a : answer) : answer :=
  match a with
  | Must => if gone then May else Must
  | _ => a
  end.

(* The choices that D3 and M2 leave, as the oracle tries them: do direct entries
   join, and does fall-through join? *)
Record policy := Policy { direct_joins : bool; fall_joins : bool }.

Definition chosen (o : policy) (x y : arrival) : bool :=
  match x, y with
  | Direct _ _ _ _, Direct _ _ _ _ => direct_joins o
  | _, _ => fall_joins o
  end.

Definition decide (o : policy) (same : nat -> nat -> bool) (x y : arrival) : bool :=
  match verdict same x y with
  | Must => true
  | MustNot => false
  | May => chosen o x y
  end.
