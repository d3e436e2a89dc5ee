;; Puts the rows of a page together: each row of the list copied behind the one before, with a comma between two.
;; The list has two words a row: where it begins, in units of eight bytes, and how many bytes it has.
;; Returns where the last one ends. Called from JavaScript row by row, the copying takes more than twice as long.
(module
  (import "index" "memory" (memory 1 65536 shared))
  (func (export "join") (param $list i32) (param $count i32) (param $out i32) (result i32)
    (local $entry i32) (local $listEnd i32) (local $line i32) (local $rowEnd i32) (local $length i32) (local $touched i32)
    (local.set $listEnd (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 3))))
    ;; First a byte of every line of memory: the rows lie far apart, and the processor fetches many lines at once when
    ;; it need not wait for one to know the next.
    (local.set $entry (local.get $list))
    (block $allTouched
      (loop $touchRow
        (br_if $allTouched (i32.ge_u (local.get $entry) (local.get $listEnd)))
        (local.set $line (i32.shl (i32.load (local.get $entry)) (i32.const 3)))
        (local.set $rowEnd (i32.add (local.get $line) (i32.load offset=4 (local.get $entry))))
        (loop $touchLine
          (local.set $touched (i32.or (local.get $touched) (i32.load8_u (local.get $line))))
          (local.set $line (i32.add (local.get $line) (i32.const 64)))
          (br_if $touchLine (i32.lt_u (local.get $line) (local.get $rowEnd))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 8)))
        (br $touchRow)))
    (local.set $entry (local.get $list))
    (block $done
      (loop $copyRow
        (br_if $done (i32.ge_u (local.get $entry) (local.get $listEnd)))
        (if (i32.ne (local.get $entry) (local.get $list))
          (then
            (i32.store8 (local.get $out) (i32.const 44))
            (local.set $out (i32.add (local.get $out) (i32.const 1)))))
        (local.set $length (i32.load offset=4 (local.get $entry)))
        (memory.copy
          (local.get $out)
          (i32.shl (i32.load (local.get $entry)) (i32.const 3))
          (local.get $length))
        (local.set $out (i32.add (local.get $out) (local.get $length)))
        (local.set $entry (i32.add (local.get $entry) (i32.const 8)))
        (br $copyRow)))
    ;; Never so, but the compiler must not find out that nobody needs the bytes that were touched.
    (if (i32.eq (local.get $touched) (i32.const 256)) (then (unreachable)))
    (local.get $out)))
