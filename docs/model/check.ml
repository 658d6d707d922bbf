(* SPDX-License-Identifier: Apache-2.0

   Reads programs and the oracle's tangles (tests/model_export.c) from standard input, computes the
   tangles by the extracted rules (rules.ml), and compares. Status 1 if they differ. *)

open Rules

let programs = ref 0 and skipped = ref 0 and runs = ref 0
let operations = ref 0 and blocks = ref 0 and lanes_seen = ref 0
let differ = ref 0 and shown = ref 0
let choices = ref 0

let complain fmt =
  incr differ;
  Printf.ksprintf (fun s -> if !shown < 20 then (incr shown; print_endline s)) fmt

(* ---- a program ---------------------------------------------------------------------- *)

exception Skip of string

(* A block of the module: `pieces` are its parts between calls, as names in the model. *)
type raw = { label : int; func : int; mutable calls : int list; mutable raw_merge : string list;
             mutable raw_end : string list }

type loaded = { p : program; entry : (int, int) Hashtbl.t; (* label -> its first piece *)
                by_name : (int, block) Hashtbl.t; of_label : (int, int) Hashtbl.t (* piece -> label *) }

let load raws =
  let raws = List.rev raws in
  let entry = Hashtbl.create 64 and first_of = Hashtbl.create 8 and next = ref 1 in
  let by_name = Hashtbl.create 64 and of_label = Hashtbl.create 64 in
  List.iter (fun r ->
      Hashtbl.replace entry r.label !next;
      if not (Hashtbl.mem first_of r.func) then Hashtbl.replace first_of r.func !next;
      next := !next + 1 + List.length r.calls) raws;
  let at l = try Hashtbl.find entry (int_of_string l) with Not_found -> raise (Skip "unknown label") in
  let made = List.concat_map (fun r ->
      let name = Hashtbl.find entry r.label in
      let merge = match r.raw_merge with
        | [] -> NoMerge
        | ["merge"; m] -> SelectionMerge (at m)
        | ["loop"; m; c] ->
            (* A back edge goes to the header's label, its merge instruction is in its last piece. *)
            if r.calls <> [] then raise (Skip "a call in a loop's header");
            LoopMerge (at m, at c)
        | _ -> raise (Skip "merge") in
      let finish = match r.raw_end with
        | ["branch"; t] -> Branch (at t)
        | ["cond"; t; f] -> BranchConditional (at t, at f)
        | "switch" :: d :: ts -> Switch (at d, List.map at ts)
        | ["return"] -> Return
        | _ -> Ends in
      let calls = List.rev r.calls in
      List.mapi (fun i f ->
          { name = name + i; function0 = r.func; merge = NoMerge;
            finish = Call (Hashtbl.find first_of f, name + i + 1) }) calls
      @ [ { name = name + List.length calls; function0 = r.func; merge; finish } ]) raws in
  List.iter (fun b -> Hashtbl.replace by_name b.name b) made;
  List.iter (fun r ->
      let n = Hashtbl.find entry r.label in
      for i = 0 to List.length r.calls do Hashtbl.replace of_label (n + i) r.label done) raws;
  { p = made; entry; by_name; of_label }

(* ---- the paths of a subgroup ---------------------------------------------------------- *)

type lane = { mutable path : int list; (* last first *) mutable n : int; mutable stack : int list }
type event = { group : bool; mask : int64; at : int array (* position of each lane, or -1 *) }

let bit mask i = Int64.logand (Int64.shift_right_logical mask i) 1L = 1L

let step l lane label =
  let piece = try Hashtbl.find l.entry label with Not_found -> raise (Skip "unknown label") in
  let go to_ = lane.path <- to_ :: lane.path; lane.n <- lane.n + 1 in
  match lane.path with
  | [] -> go piece
  | last :: _ ->
      match (Hashtbl.find l.by_name last).finish with
      | Call (callee, next) ->
          if callee <> piece then failwith "a call goes elsewhere";
          lane.stack <- next :: lane.stack; go piece
      | Return ->
          (match lane.stack with
           | next :: rest when Hashtbl.find l.of_label next = label -> lane.stack <- rest; go next
           | _ -> failwith "a return goes elsewhere")
      | Branch t -> if t <> piece then failwith "a branch goes elsewhere"; go piece
      | BranchConditional (t, f) ->
          if t <> piece && f <> piece then failwith "a branch goes elsewhere"; go piece
      | Switch (d, ts) ->
          if not (List.mem piece (d :: ts)) then failwith "a switch goes elsewhere"; go piece
      | Ends -> failwith "an ended invocation goes on"

(* ---- the comparison --------------------------------------------------------------------- *)

let earlier n = function
  | Start -> n = 0
  | Step (_, _, k) | Direct (_, _, k, _) -> n = k + 1
  | Falls (_, _, _, k, l) -> n = k + 1 && l < n
  | Joins (_, _, _, l) -> l < n

let clause_name = function M1 -> "M1" | M3 -> "M3" | M4 -> "M4" | M5 -> "M5"

(* Literal: what the letter of E4 requires of invocations that never come. *)
let unmet : (string, int * string) Hashtbl.t = Hashtbl.create 8

let fates name l ws same =
  let lanes = Array.length ws in
  let rec drop n w = if n = 0 then w else drop (n - 1) (List.tl w) in
  let lists = Array.map Array.to_list ws in
  let fate r c h to_ i q = fate_from r l.p c h to_ (drop q lists.(i)) 0 in
  let ask c h to_ i q =
    List.iter (fun (r, what) ->
        if fate r c h to_ i q = Neither then
          let met = ref false in
          for j = 0 to lanes - 1 do
            Array.iteri (fun m b ->
                if b = h && same i q j m && fate r c h to_ j m = Arrives then met := true) ws.(j)
          done;
          if !met then begin
            let key = what ^ " " ^ clause_name c in
            let n, first = try Hashtbl.find unmet key with Not_found -> 0, name in
            Hashtbl.replace unmet key (n + 1, first);
            if r = Ours then complain "%s: lane %d: %s requires it at its join, it neither comes nor escapes"
                name i (clause_name c)
          end) [Literal, "literal"; Ours, "ours"] in
  for i = 0 to lanes - 1 do
    Array.iteri (fun q h ->
        let b = Hashtbl.find l.by_name h in
        (match b.merge with
         | NoMerge -> ()
         | SelectionMerge m -> ask M1 h m i q
         | LoopMerge (m, c) ->
             if q = 0 || not (dominates l.p h ws.(i).(q - 1)) then ask M3 h m i q;
             ask M4 h c i q);
        match b.finish with
        | Call (_, next) -> ask M5 h next i q
        | _ -> ()) ws.(i)
  done

let compare_subgroup name policy l (lanes : lane array) events =
  let ws = Array.map (fun s -> Array.of_list (List.rev s.path)) lanes in
  let known = Hashtbl.create 8 in
  let arrivals = Array.map (fun w ->
      match Hashtbl.find_opt known w with
      | Some a -> a
      | None ->
          let path = Array.to_list w in
          (* The target stands for the selector's value: direct entries join under both policies. *)
          let a = Array.mapi (fun n _ -> classify l.p path (fun k -> w.(k + 1)) n) w in
          Hashtbl.replace known w a; a) ws in
  (* The hypotheses of Lemmas.v. *)
  Array.iteri (fun i a ->
      let joins = Hashtbl.create 16 in
      Array.iteri (fun n x ->
          if not (earlier n x) then complain "%s: lane %d, position %d: no last execution" name i n;
          match x with
          | Joins (c, h, b, k) ->
              if Hashtbl.mem joins (c, h, b, k) then complain "%s: lane %d: joins twice" name i;
              Hashtbl.replace joins (c, h, b, k) ()
          | _ -> ()) a) arrivals;
  let memo = Hashtbl.create 256 in
  let rec same i n j m =
    if ws.(i).(n) <> ws.(j).(m) then false
    else match Hashtbl.find_opt memo (i, n, j, m) with
      | Some v -> v
      | None ->
          let x = arrivals.(i).(n) and y = arrivals.(j).(m) in
          let before q q' = same i q j q' in
          let v = decide policy before x y in
          (match verdict before x y with May -> incr choices | _ -> ());
          Hashtbl.replace memo (i, n, j, m) v; v in
  let tangle i n =
    let mask = ref 0L in
    Array.iteri (fun j w ->
        Array.iteri (fun m _ ->
            if same i n j m then begin
              if bit !mask j then complain "%s: lane %d is twice in one tangle" name j;
              mask := Int64.logor !mask (Int64.shift_left 1L j)
            end) w) ws;
    !mask in
  let tangles = Hashtbl.create 64 in
  let tangle i n = match Hashtbl.find_opt tangles (i, n) with
    | Some t -> t
    | None -> let t = tangle i n in Hashtbl.replace tangles (i, n) t; t in
  List.iter (fun e ->
      incr (if e.group then operations else blocks);
      Array.iteri (fun i n ->
          if bit e.mask i && tangle i n <> e.mask then
            complain "%s: %s of lane %d at block %d: rules 0x%Lx, oracle 0x%Lx" name
              (if e.group then "an operation" else "the block") i
              (Hashtbl.find l.of_label ws.(i).(n)) (tangle i n) e.mask) e.at) events;
  lanes_seen := !lanes_seen + Array.length ws;
  fates name l ws same

(* ---- reading ---------------------------------------------------------------------------- *)

let lanes_max = 64

let () =
  let name = ref "" and raws = ref [] and loaded = ref None and skip = ref false in
  let policy = ref { direct_joins = true; fall_joins = true } in
  (* Subgroups take turns at barriers. *)
  let subgroups = Hashtbl.create 4 and current = ref (0, 0) in
  let fresh () = Array.init lanes_max (fun _ -> { path = []; n = 0; stack = [] }), ref [] in
  let now () = match Hashtbl.find_opt subgroups !current with
    | Some x -> x
    | None -> let x = fresh () in Hashtbl.replace subgroups !current x; x in
  let flush () =
    (match !loaded with
     | Some l when not !skip ->
         Hashtbl.iter (fun _ (lanes, events) ->
             let used = ref 0 in
             Array.iteri (fun i s -> if s.n > 0 then used := i + 1) lanes;
             compare_subgroup !name !policy l (Array.sub lanes 0 !used) (List.rev !events)) subgroups
     | _ -> ());
    Hashtbl.reset subgroups in
  let guard f = if not !skip then try f () with Skip why ->
    skip := true; incr skipped; Printf.printf "%s: skipped: %s\n" !name why in
  (try while true do
     let line = input_line stdin in
     match String.split_on_char ' ' line with
     | "program" :: rest ->
         flush (); incr programs; name := String.concat " " rest; raws := []; loaded := None; skip := false
     | ["block"; label; f] ->
         raws := { label = int_of_string label; func = int_of_string f; calls = []; raw_merge = []; raw_end = [] }
                 :: !raws
     | ["call"; f] -> let r = List.hd !raws in r.calls <- int_of_string f :: r.calls
     | ("merge" | "loop") :: _ as m -> (List.hd !raws).raw_merge <- m
     | ("branch" | "cond" | "switch" | "return" | "end") :: _ as t -> (List.hd !raws).raw_end <- t
     | ["run"; how] ->
         flush (); incr runs;
         policy := { direct_joins = true; fall_joins = how = "join" };
         if !loaded = None then guard (fun () -> loaded := Some (load !raws))
     | ["subgroup"; w; s] -> current := (int_of_string w, int_of_string s)
     | ["undefined"] -> if not !skip then (skip := true; incr skipped)
     | ["b"; label; mask] ->
         guard (fun () ->
             let l = Option.get !loaded and mask = Int64.of_string ("0x" ^ mask) in
             let lanes, events = now () in
             Array.iteri (fun i s -> if bit mask i then step l s (int_of_string label)) lanes;
             events := { group = false; mask; at = Array.map (fun s -> s.n - 1) lanes } :: !events)
     | ["g"; _; mask] ->
         guard (fun () ->
             let lanes, events = now () in
             events := { group = true; mask = Int64.of_string ("0x" ^ mask);
                         at = Array.map (fun s -> s.n - 1) lanes } :: !events)
     | _ -> failwith ("unknown line: " ^ line)
   done with End_of_file -> flush ());
  Printf.printf "%d programs (%d skipped), %d runs: %d operations and %d blocks compared, %d differ\n"
    !programs !skipped !runs !operations !blocks !differ;
  Printf.printf "%d pairs of positions left to the implementation (D3, M2)\n" !choices;
  Hashtbl.iter (fun key (n, first) ->
      Printf.printf "required by %s of an invocation that neither comes nor escapes: %d times, first in %s\n"
        key n first) unmet;
  exit (if !differ > 0 || !programs = 0 then 1 else 0)
