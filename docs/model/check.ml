(* SPDX-License-Identifier: Apache-2.0

   Reads programs and the oracle's tangles (tests/model_export.c) from standard input, computes the
   tangles by the extracted rules (rules.ml), and compares. Status 1 if they differ. *)

open Rules

let programs = ref 0 and skipped = ref 0 and runs = ref 0
let operations = ref 0 and blocks = ref 0 and lanes_seen = ref 0
let differ = ref 0 and shown = ref 0
let choices = ref 0 and gone = ref 0 and cut_short = ref 0

let complain fmt =
  incr differ;
  Printf.ksprintf (fun s -> if !shown < 20 then (incr shown; print_endline s)) fmt

(* ---- a program ---------------------------------------------------------------------- *)

exception Skip of string

(* A block of the module: `pieces` are its parts between calls and demotes, as names in the model.
   `parts`: what ends each piece but the last, the last one first. *)
type part = Calls of int | Demotes
type raw = { label : int; func : int; mutable parts : part list; mutable raw_merge : string list;
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
      next := !next + 1 + List.length r.parts) raws;
  let at l = try Hashtbl.find entry (int_of_string l) with Not_found -> raise (Skip "unknown label") in
  let made = List.concat_map (fun r ->
      let name = Hashtbl.find entry r.label in
      let merge = match r.raw_merge with
        | [] -> NoMerge
        | ["merge"; m] -> SelectionMerge (at m)
        | ["loop"; m; c] ->
            (* A back edge goes to the header's label, its merge instruction is in its last piece. *)
            if r.parts <> [] then raise (Skip "a call or a demote in a loop's header");
            LoopMerge (at m, at c)
        | _ -> raise (Skip "merge") in
      let finish = match r.raw_end with
        | ["branch"; t] -> Branch (at t)
        | ["cond"; t; f] -> BranchConditional (at t, at f)
        | "switch" :: d :: ts -> Switch (at d, List.map at ts)
        | ["return"] -> Return
        | _ -> Ends in
      let parts = List.rev r.parts in
      List.mapi (fun i part ->
          { name = name + i; function0 = r.func; merge = NoMerge;
            finish = match part with
              | Calls f -> Call (Hashtbl.find first_of f, name + i + 1)
              | Demotes -> Demote (name + i + 1) }) parts
      @ [ { name = name + List.length parts; function0 = r.func; merge; finish } ]) raws in
  List.iter (fun b -> Hashtbl.replace by_name b.name b) made;
  List.iter (fun r ->
      let n = Hashtbl.find entry r.label in
      for i = 0 to List.length r.parts do Hashtbl.replace of_label (n + i) r.label done) raws;
  { p = made; entry; by_name; of_label }

(* ---- the paths of a subgroup ---------------------------------------------------------- *)

type lane = { mutable path : int list; (* last first *) mutable n : int; mutable stack : int list }
type event = { group : bool; mask : int64; at : int array (* position of each lane, or -1 *) }

let memoize table key f = match Hashtbl.find_opt table key with
  | Some v -> v
  | None -> let v = f () in Hashtbl.replace table key v; v

let bit mask i = Int64.logand (Int64.shift_right_logical mask i) 1L = 1L

let go lane to_ = lane.path <- to_ :: lane.path; lane.n <- lane.n + 1

(* The oracle does not tell when a tangle goes on after a demote: a lane does if it is seen again,
   in the `before`-th piece of its block or elsewhere. *)
let rec after_demotes ?(before = max_int) l lane =
  match lane.path with
  | last :: _ ->
      (match (Hashtbl.find l.by_name last).finish with
       | Demote next when last - Hashtbl.find l.entry (Hashtbl.find l.of_label last) < before ->
           go lane next; after_demotes ~before l lane
       | _ -> ())
  | [] -> ()

let step l lane label =
  let piece = try Hashtbl.find l.entry label with Not_found -> raise (Skip "unknown label") in
  let go to_ = go lane to_ in
  after_demotes l lane;
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
      | Demote _ | Ends -> failwith "an ended invocation goes on"

(* ---- the comparison --------------------------------------------------------------------- *)

let earlier n = function
  | Start -> n = 0
  | Step (_, _, k) | Direct (_, _, k, _) -> n = k + 1
  | Falls (_, _, _, k, l) -> n = k + 1 && l < n
  | Joins (_, _, _, l) -> l < n

let clause_name = function M1 -> "M1" | M3 -> "M3" | M4 -> "M4" | M5 -> "M5"

(* Literal: what the letter of E4 requires of invocations that never come. *)
let unmet : (string, int * string) Hashtbl.t = Hashtbl.create 8

(* Per program: a number for each path, what is known of it, and of a path in its quad. *)
let paths : (string, int) Hashtbl.t = Hashtbl.create 64
let arrivals_of = Hashtbl.create 64 and fate_of = Hashtbl.create 256 and gone_of = Hashtbl.create 256
let number (w : int array) =
  memoize paths (Digest.string (Marshal.to_string w [])) (fun () -> Hashtbl.length paths)
let forget () =
  Hashtbl.reset paths; Hashtbl.reset arrivals_of; Hashtbl.reset fate_of; Hashtbl.reset gone_of

let fates name l ws quads quad_keys same =
  let lanes = Array.length ws in
  let rec drop n w = if n = 0 then w else drop (n - 1) (List.tl w) in
  let lists = Array.map Array.to_list ws in
  let fate r c h to_ i q =
    memoize fate_of (r, c, h, to_, q, number ws.(i), quad_keys.(i)) (fun () ->
        fate_in_quad r l.p quads.(i) c h to_ (drop q lists.(i))) in
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

(* How a lane's path ends: with the entry point, or an instruction that ends the invocation; or the
   oracle stopped it before. *)
let is_cut l (lane : lane) = match lane.path with
  | [] -> false
  | last :: _ -> match (Hashtbl.find l.by_name last).finish with
    | Ends -> false
    | Return -> lane.stack <> []
    | Demote next -> (* not told apart from one that then returns *)
        (match (Hashtbl.find l.by_name next).finish with Return | Ends -> false | _ -> true)
    | _ -> true

let compare_subgroup name policy stop l (lanes : lane array) helpers events =
  (* A lane that was not stopped goes on after its last demote. *)
  Array.iter (fun s -> if not stop then after_demotes l s) lanes;
  let ws = Array.map (fun s -> Array.of_list (List.rev s.path)) lanes in
  let arrivals = Array.map (fun w ->
      memoize arrivals_of (number w) (fun () ->
          let path = Array.to_list w in
          (* The target stands for the selector's value: direct entries join under both policies. *)
          Array.mapi (fun n _ -> classify l.p path (fun k -> w.(k + 1)) n) w)) ws in
  let quads = match helpers with
    | None -> Array.map (fun _ -> []) ws
    | Some helpers ->
        let member i = { helper = bit helpers i; walk = Array.to_list ws.(i) } in
        Array.mapi (fun i _ ->
            List.filter_map (fun k ->
                if 4 * (i / 4) + k < Array.length ws && ws.(4 * (i / 4) + k) <> [||]
                then Some (member (4 * (i / 4) + k)) else None) [0; 1; 2; 3]) ws in
  let quad_keys = Array.map (List.map (fun m -> m.helper, number (Array.of_list m.walk))) quads in
  let gone_at r i n =
    helpers <> None
    && memoize gone_of (r, n, number ws.(i), bit (Option.get helpers) i, quad_keys.(i)) @@ fun () ->
    may_be_gone r l.p quads.(i) { helper = bit (Option.get helpers) i; walk = Array.to_list ws.(i) } n in
  (* D4: an invocation stops only where it may be gone. *)
  Array.iteri (fun i s ->
      if is_cut l s then begin
        incr cut_short;
        List.iter (fun r ->
            if not (stop && gone_at r i (Array.length ws.(i))) then
              if r = Ours then complain "%s: lane %d stops, but its quad has not ended" name i
              else begin
                let n, first = try Hashtbl.find unmet "stopped" with Not_found -> 0, name in
                Hashtbl.replace unmet "stopped" (n + 1, first)
              end) [Literal; Ours]
      end) lanes;
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
          (match verdict before x y with
           | May -> incr choices
           | Must ->
               (* They are together while both are there: `decide`. *)
               if apart_by_quad (gone_at Literal i n || gone_at Literal j m) Must = May then incr gone
           | MustNot -> ());
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
  fates name l ws quads quad_keys same

(* Many subgroups of a program do the same: each is compared once, and counted each time. *)
let compared = Hashtbl.create 64

let compare_once name policy stop l lanes helpers events =
  let counters = [operations; blocks; lanes_seen; differ; choices; gone; cut_short] in
  let key = Digest.string (Marshal.to_string (policy, stop, lanes, helpers, events) []) in
  let unmet_of table key = match Hashtbl.find_opt table key with Some (n, _) -> n | None -> 0 in
  match Hashtbl.find_opt compared key with
  | Some (made, literally) ->
      List.iter2 (fun c n -> c := !c + n) counters made;
      List.iter (fun (key, n) ->
          let all, first = Hashtbl.find unmet key in
          Hashtbl.replace unmet key (all + n, first)) literally
  | None ->
      let before = List.map (!) counters and unmet_before = Hashtbl.copy unmet in
      compare_subgroup name policy stop l lanes helpers events;
      let literally = Hashtbl.fold (fun key (n, _) rest ->
          match n - unmet_of unmet_before key with 0 -> rest | more -> (key, more) :: rest) unmet [] in
      Hashtbl.replace compared key (List.map2 (fun c n -> !c - n) counters before, literally)

(* ---- reading ---------------------------------------------------------------------------- *)

let lanes_max = 64

let () =
  let name = ref "" and raws = ref [] and loaded = ref None and skip = ref false in
  let policy = ref { direct_joins = true; fall_joins = true } in
  (* Subgroups take turns at barriers. *)
  let subgroups = Hashtbl.create 4 and current = ref (0, 0) and stop = ref false in
  let fresh () = Array.init lanes_max (fun _ -> { path = []; n = 0; stack = [] }), ref None, ref [] in
  let now () = match Hashtbl.find_opt subgroups !current with
    | Some x -> x
    | None -> let x = fresh () in Hashtbl.replace subgroups !current x; x in
  let flush () =
    (match !loaded with
     | Some l when not !skip ->
         Hashtbl.iter (fun _ (lanes, helpers, events) ->
             let used = ref 0 in
             Array.iteri (fun i s -> if s.n > 0 then used := i + 1) lanes;
             compare_once !name !policy !stop l (Array.sub lanes 0 !used) !helpers
               (List.rev !events)) subgroups
     | _ -> ());
    Hashtbl.reset subgroups in
  let guard f = if not !skip then try f () with Skip why ->
    skip := true; incr skipped; Printf.printf "%s: skipped: %s\n" !name why in
  (try while true do
     let line = input_line stdin in
     match String.split_on_char ' ' line with
     | "program" :: rest ->
         flush (); Hashtbl.reset compared; forget (); incr programs; name := String.concat " " rest; raws := []; loaded := None; skip := false
     | ["block"; label; f] ->
         raws := { label = int_of_string label; func = int_of_string f; parts = []; raw_merge = []; raw_end = [] }
                 :: !raws
     | ["call"; f] -> let r = List.hd !raws in r.parts <- Calls (int_of_string f) :: r.parts
     | ["demote"] -> let r = List.hd !raws in r.parts <- Demotes :: r.parts
     | ("merge" | "loop") :: _ as m -> (List.hd !raws).raw_merge <- m
     | ("branch" | "cond" | "switch" | "return" | "end") :: _ as t -> (List.hd !raws).raw_end <- t
     | ["run"; how; quads] ->
         flush (); incr runs;
         stop := quads = "stop";
         policy := { direct_joins = true; fall_joins = how = "join" };
         if !loaded = None then guard (fun () -> loaded := Some (load !raws))
     | ["subgroup"; w; s] -> current := (int_of_string w, int_of_string s)
     | ["quads"; mask] ->
         let _, helpers, _ = now () in helpers := Some (Int64.of_string ("0x" ^ mask))
     | ["undefined"] -> if not !skip then (skip := true; incr skipped)
     | ["b"; label; mask] ->
         guard (fun () ->
             let l = Option.get !loaded and mask = Int64.of_string ("0x" ^ mask) in
             let lanes, _, events = now () in
             Array.iteri (fun i s -> if bit mask i then step l s (int_of_string label)) lanes;
             events := { group = false; mask; at = Array.map (fun s -> s.n - 1) lanes } :: !events)
     | ["g"; _; mask; before] ->
         guard (fun () ->
             let l = Option.get !loaded and mask = Int64.of_string ("0x" ^ mask) in
             let lanes, _, events = now () in
             Array.iteri (fun i s ->
                 if bit mask i then after_demotes ~before:(int_of_string before) l s) lanes;
             events := { group = true; mask;
                         at = Array.map (fun s -> s.n - 1) lanes } :: !events)
     | _ -> failwith ("unknown line: " ^ line)
   done with End_of_file -> flush ());
  Printf.printf "%d programs (%d skipped), %d runs: %d operations and %d blocks compared, %d differ\n"
    !programs !skipped !runs !operations !blocks !differ;
  Printf.printf "%d pairs of positions left to the implementation (D3, M2), %d that D4 may part\n"
    !choices !gone;
  Printf.printf "%d paths stopped with their quad (D4, E2)\n" !cut_short;
  (match Hashtbl.find_opt unmet "stopped" with
   | Some (n, first) ->
       Hashtbl.remove unmet "stopped";
       Printf.printf "stopped where E2 to the letter does not allow it: %d paths, first in %s\n" n first
   | None -> ());
  Hashtbl.iter (fun key (n, first) ->
      Printf.printf "required by %s of an invocation that neither comes nor escapes: %d times, first in %s\n"
        key n first) unmet;
  exit (if !differ > 0 || !programs = 0 then 1 else 0)
