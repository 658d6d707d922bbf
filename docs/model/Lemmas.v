(* SPDX-License-Identifier: Apache-2.0 *)

(* What follows from the clauses of Rules.v, for every program and all paths:

   unique      without a choice of the implementation there is one outcome
   one_tangle  no invocation is in two tangles at one operation
   once        no invocation is in a tangle twice
   exists_one  for each policy there is an outcome
   live_stays  who has a live invocation in its quad is never gone by D4
   apart_only  D4 brings nothing together

   The hypotheses on paths are those that every valid program fulfils; check.ml
   checks them for each path that it reads. *)

From Coq Require Import List Arith Bool Lia.
From Model Require Import Rules.

Section Outcomes.

Variable Inv : Type.
(* How an invocation comes to a position of its path; None: the path is shorter. *)
Variable arr : Inv -> nat -> option arrival.

Definition earlier (n : nat) (x : arrival) : Prop :=
  match x with
  | Start => n = 0
  | Step _ _ k => n = S k
  | Direct _ _ k _ => n = S k
  | Falls _ _ _ k l => n = S k /\ l < n
  | Joins _ _ _ l => l < n
  end.

(* "The last execution of M before L" is before L: M dominates L. *)
Hypothesis arr_earlier : forall i n x, arr i n = Some x -> earlier n x.
Hypothesis arr_prefix : forall i n x q, arr i n = Some x -> q < n -> exists y, arr i q = Some y.
(* Between two arrivals at a join its merge instruction is executed. *)
Hypothesis arr_fresh : forall i n m c h b l,
  arr i n = Some (Joins c h b l) -> arr i m = Some (Joins c h b l) -> n = m.

(* An outcome says which positions are one dynamic instance. *)
Definition outcome := Inv -> nat -> Inv -> nat -> bool.

Definition judged (R : outcome) i n j m x y : Prop :=
  match verdict (fun q q' => R i q j q') x y with
  | Must => R i n j m = true
  | MustNot => R i n j m = false
  | May => True
  end.

Definition respects (R : outcome) : Prop := forall i n j m x y,
  arr i n = Some x -> arr j m = Some y -> judged R i n j m x y.

Definition no_choice (R : outcome) : Prop := forall i n j m x y,
  arr i n = Some x -> arr j m = Some y -> verdict (fun q q' => R i q j q') x y <> May.

(* A verdict depends on earlier positions only. *)
Lemma verdict_ext : forall f g n m x y, earlier n x -> earlier m y ->
  (forall q q', q < n -> q' < m -> f q q' = g q q') -> verdict f x y = verdict g x y.
Proof.
  intros f g n m x y Hx Hy H.
  destruct x, y; simpl in *; try reflexivity;
    repeat match goal with
    | h : _ /\ _ |- _ => destruct h
    end; subst;
    repeat rewrite H by lia; reflexivity.
Qed.

Theorem unique : forall R1 R2, respects R1 -> respects R2 -> no_choice R1 ->
  forall k i n j m x y, n + m < k -> arr i n = Some x -> arr j m = Some y ->
  R1 i n j m = R2 i n j m.
Proof.
  intros R1 R2 H1 H2 HN k.
  induction k as [|k IH]; intros i n j m x y Hk Hi Hj; [lia|].
  assert (E : verdict (fun q q' => R1 i q j q') x y = verdict (fun q q' => R2 i q j q') x y).
  { apply verdict_ext with (n := n) (m := m); eauto.
    intros q q' Hq Hq'.
    destruct (arr_prefix i n x q Hi Hq) as [x' Hx'].
    destruct (arr_prefix j m y q' Hj Hq') as [y' Hy'].
    apply IH with (x := x') (y := y'); [lia | assumption | assumption]. }
  specialize (H1 i n j m x y Hi Hj). specialize (H2 i n j m x y Hi Hj).
  specialize (HN i n j m x y Hi Hj).
  unfold judged in *. rewrite <- E in H2.
  destruct (verdict (fun q q' => R1 i q j q') x y); congruence.
Qed.

(* ---- there is an outcome ---------------------------------------------------- *)

Fixpoint made (o : policy) (fuel : nat) i n j m : bool :=
  match fuel with
  | 0 => false
  | S fuel =>
      match arr i n, arr j m with
      | Some x, Some y => decide o (fun q q' => made o fuel i q j q') x y
      | _, _ => false
      end
  end.

Lemma made_fuel : forall o a b i n j m, n + m < a -> n + m < b ->
  made o a i n j m = made o b i n j m.
Proof.
  intros o a. induction a as [|a IH]; intros b i n j m Ha Hb; [lia|].
  destruct b as [|b]; [lia|]. simpl.
  destruct (arr i n) as [x|] eqn:Hi; [|reflexivity].
  destruct (arr j m) as [y|] eqn:Hj; [|reflexivity].
  unfold decide.
  rewrite (verdict_ext _ (fun q q' => made o b i q j q') n m x y); eauto.
  intros q q' Hq Hq'. apply IH; lia.
Qed.

Theorem exists_one : forall o, respects (fun i n j m => made o (S (n + m)) i n j m).
Proof.
  intros o i n j m x y Hi Hj. unfold judged.
  remember (verdict (fun q q' => made o (S (q + q')) i q j q') x y) as v eqn:E.
  simpl. rewrite Hi, Hj. unfold decide.
  rewrite (verdict_ext _ (fun q q' => made o (S (q + q')) i q j q') n m x y); eauto.
  - rewrite <- E. destruct v; auto.
  - intros q q' Hq Hq'. apply made_fuel; lia.
Qed.

(* ---- tangles are a partition ----------------------------------------------- *)

Lemma eqb_sym_all : forall a b : nat, (a =? b) = (b =? a).
Proof. intros. apply Nat.eqb_sym. Qed.

Lemma verdict_sym : forall f x y, verdict f x y = verdict (fun q q' => f q' q) y x.
Proof.
  intros f x y.
  destruct x, y; simpl; try reflexivity; unfold when;
  repeat match goal with
  | |- context [?a =? ?b] =>
      lazymatch goal with
      | |- context [b =? a] => rewrite (eqb_sym_all a b)
      end
  end; try reflexivity.
  destruct c, c0; simpl; reflexivity.
Qed.

Variable R : outcome.
Hypothesis HR : respects R.
Hypothesis HN : no_choice R.

Lemma same_must : forall i n j m x y, arr i n = Some x -> arr j m = Some y ->
  R i n j m = true -> verdict (fun q q' => R i q j q') x y = Must.
Proof.
  intros i n j m x y Hi Hj H.
  specialize (HR i n j m x y Hi Hj). specialize (HN i n j m x y Hi Hj).
  unfold judged in HR. destruct (verdict (fun q q' => R i q j q') x y); congruence.
Qed.

Lemma must_same : forall i n j m x y, arr i n = Some x -> arr j m = Some y ->
  verdict (fun q q' => R i q j q') x y = Must -> R i n j m = true.
Proof.
  intros i n j m x y Hi Hj H.
  specialize (HR i n j m x y Hi Hj). unfold judged in HR. rewrite H in HR. exact HR.
Qed.

Theorem symmetric : forall k i n j m x y, n + m < k -> arr i n = Some x -> arr j m = Some y ->
  R i n j m = true -> R j m i n = true.
Proof.
  induction k as [|k IH]; intros i n j m x y Hk Hi Hj H; [lia|].
  pose proof (same_must i n j m x y Hi Hj H) as V.
  apply must_same with (x := y) (y := x); [assumption|assumption|].
  rewrite verdict_sym.
  rewrite <- V. apply verdict_ext with (n := n) (m := m); eauto.
  intros q q' Hq Hq'.
  destruct (arr_prefix i n x q Hi Hq) as [x' Hx'].
  destruct (arr_prefix j m y q' Hj Hq') as [y' Hy'].
  destruct (R j q' i q) eqn:E1, (R i q j q') eqn:E2; try reflexivity.
  - rewrite (IH j q' i q y' x') in E2; [congruence|lia|assumption|assumption|assumption].
  - rewrite (IH i q j q' x' y') in E1; [congruence|lia|assumption|assumption|assumption].
Qed.

(* What Must means, for each kind of arrival. *)
Ltac split_ands :=
  repeat match goal with
  | h : _ && _ = true |- _ => apply andb_true_iff in h; destruct h
  | h : (_ =? _) = true |- _ => apply Nat.eqb_eq in h
  | h : _ /\ _ |- _ => destruct h
  end.

Lemma when_must : forall b a, when b a = Must -> b = true /\ a = Must.
Proof. intros [|] a H; simpl in H; [auto|discriminate]. Qed.

Lemma clause_eqb_eq : forall a b, clause_eqb a b = true -> a = b.
Proof. intros [] []; simpl; congruence. Qed.
Lemma clause_eqb_refl : forall a, clause_eqb a a = true.
Proof. intros []; reflexivity. Qed.

(* Two arrivals that must be one instance have the same shape, and one earlier
   pair of positions that is one instance. *)
Definition linked (f : nat -> nat -> bool) (x y : arrival) : Prop :=
  match x, y with
  | Start, Start => True
  | Step a b k, Step a' b' k' => a = a' /\ b = b' /\ f k k' = true
  | Direct s b k v, Direct s' b' k' v' => s = s' /\ b = b' /\ v = v' /\ f k k' = true
  | Falls s a b k _, Falls s' a' b' k' _ => s = s' /\ a = a' /\ b = b' /\ f k k' = true
  | Joins c h b l, Joins c' h' b' l' => c = c' /\ h = h' /\ b = b' /\ f l l' = true
  | _, _ => False
  end.

Lemma must_linked : forall f x y, verdict f x y = Must <-> linked f x y.
Proof.
  intros f x y. split.
  - destruct x, y; simpl; intro H; try discriminate; try exact I;
    repeat (apply when_must in H; destruct H as [? H]); try discriminate; split_ands; subst; auto.
    + match type of H with (if ?e then _ else _) = _ => destruct e eqn:E end; [|discriminate].
      split_ands. auto.
    + match type of H with (if ?e then _ else _) = _ => destruct e eqn:E end.
      * split_ands. subst. auto.
      * apply when_must in H. destruct H as [_ H]. discriminate.
    + match goal with h : clause_eqb _ _ = true |- _ => apply clause_eqb_eq in h end. subst. auto.
  - destruct x, y; simpl; intro H; try contradiction; try reflexivity; split_ands; subst;
    repeat rewrite Nat.eqb_refl; simpl;
    repeat match goal with h : f _ _ = true |- _ => rewrite h end;
    try rewrite clause_eqb_refl; simpl; repeat rewrite Nat.eqb_refl; reflexivity.
Qed.

Lemma transitive : forall k i n j m o l x y z, n + m + l < k ->
  arr i n = Some x -> arr j m = Some y -> arr o l = Some z ->
  R i n j m = true -> R j m o l = true -> R i n o l = true.
Proof.
  induction k as [|k IH]; intros i n j m o l x y z Hk Hi Hj Ho H1 H2; [lia|].
  pose proof (same_must i n j m x y Hi Hj H1) as V1. apply must_linked in V1.
  pose proof (same_must j m o l y z Hj Ho H2) as V2. apply must_linked in V2.
  apply must_same with (x := x) (y := z); [assumption|assumption|]. apply must_linked.
  pose proof (arr_earlier i n x Hi) as Ex.
  pose proof (arr_earlier j m y Hj) as Ey.
  pose proof (arr_earlier o l z Ho) as Ez.
  assert (T : forall q q' q'', q < n -> q' < m -> q'' < l ->
              R i q j q' = true -> R j q' o q'' = true -> R i q o q'' = true).
  { intros q q' q'' Hq Hq' Hq'' G1 G2.
    destruct (arr_prefix i n x q Hi Hq) as [x' Hx'].
    destruct (arr_prefix j m y q' Hj Hq') as [y' Hy'].
    destruct (arr_prefix o l z q'' Ho Hq'') as [z' Hz'].
    apply IH with (j := j) (m := q') (x := x') (y := y') (z := z'); auto; lia. }
  destruct x, y; simpl in V1; try contradiction;
  destruct z; simpl in V2; try contradiction;
  simpl in *; split_ands; subst; repeat split; eauto;
  match goal with
  | g : R _ _ _ ?p = true, h : R _ ?p _ _ = true |- _ => apply T with (q' := p); auto; lia
  end.
Qed.

(* An operation of invocation `u`, at position `c` of its path, is in the tangles
   of two instances: then these are one. *)
Theorem one_tangle : forall i n j m u c x y z,
  arr i n = Some x -> arr j m = Some y -> arr u c = Some z ->
  R i n u c = true -> R j m u c = true -> R i n j m = true.
Proof.
  intros i n j m u c x y z Hi Hj Hu H1 H2.
  apply transitive with (k := S (n + c + m)) (j := u) (m := c) (x := x) (y := z) (z := y); auto.
  apply symmetric with (k := S (m + c)) (x := y) (y := z); auto.
Qed.

Theorem once : forall k i n m x y, n + m < k ->
  arr i n = Some x -> arr i m = Some y -> R i n i m = true -> n = m.
Proof.
  induction k as [|k IH]; intros i n m x y Hk Hi Hj H; [lia|].
  pose proof (same_must i n i m x y Hi Hj H) as V. apply must_linked in V.
  pose proof (arr_earlier i n x Hi) as Ex.
  pose proof (arr_earlier i m y Hj) as Ey.
  assert (T : forall q q', q < n -> q' < m -> R i q i q' = true -> q = q').
  { intros q q' Hq Hq' G.
    destruct (arr_prefix i n x q Hi Hq) as [x' Hx'].
    destruct (arr_prefix i m y q' Hj Hq') as [y' Hy'].
    apply IH with (i := i) (x := x') (y := y'); auto; lia. }
  destruct x, y; simpl in V; try contradiction; simpl in *; split_ands; subst.
  - reflexivity.
  - f_equal. apply T; auto; lia.
  - f_equal. apply T; auto; lia.
  - f_equal. apply T; auto; lia.
  - match goal with h : R _ ?p _ ?q = true |- _ => assert (p = q) by (apply T; auto; lia) end.
    subst. eapply arr_fresh; eauto.
Qed.

End Outcomes.

(* ---- quads -------------------------------------------------------------------- *)

Theorem live_stays : forall r p q m live n,
  List.In live q -> at_some_time r p live = false -> may_be_gone r p q m n = false.
Proof.
  intros r p q m live n H L. unfold may_be_gone, quad_ends.
  destruct (forallb (at_some_time r p) q) eqn:F; [|reflexivity].
  rewrite forallb_forall in F. rewrite (F live H) in L. discriminate.
Qed.

Theorem apart_only : forall g a,
  (apart_by_quad g a = MustNot <-> a = MustNot) /\ (apart_by_quad g a = Must -> a = Must)
  /\ apart_by_quad false a = a.
Proof. intros [] []; simpl; repeat split; congruence. Qed.

(* Where no quad ends E2 and D4 say nothing, and what is above holds as it stands. *)
Theorem without_quads : forall r p c h to w m n,
  fate_in_quad r p nil c h to w = fate_from r p c h to w 0 /\ may_be_gone r p nil m n = false.
Proof.
  intros. unfold fate_in_quad, may_be_gone, quad_ends. simpl.
  split; [destruct (fate_from r p c h to w 0)|]; reflexivity.
Qed.
