;; Puts the rows of a page together: the fields of each between the texts of the frame, which all watches share, and a
;; comma between two rows. The list has two words a row: where it begins, in units of eight bytes, and how many bytes
;; it has. The frame has its texts in places of 32 bytes, with the length of each in the last four. A row has the
;; fields, each with the mark 0x1f behind it, the date the last of them, and then the specs; the date is written behind
;; the specs. Texts and dates are copied 32 bytes at a time, so up to as many behind the end are written as well.
;; Returns where the last row ends. Called from JavaScript row by row, the copying takes more than twice as long.
(module
  (import "index" "memory" (memory 1 65536 shared))
  (func (export "join") (param $list i32) (param $count i32) (param $frame i32) (param $out i32) (result i32)
    (local $entry i32) (local $listEnd i32) (local $line i32) (local $rowEnd i32) (local $touched i32)
    (local $at i32) (local $text i32) (local $specsText i32) (local $length i32) (local $marks i32) (local $date i32)
    (local $bytes v128)
    (local.set $listEnd (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 3))))
    (local.set $specsText (i32.add (local.get $frame) (i32.const 192)))
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
      (loop $nextRow
        (br_if $done (i32.ge_u (local.get $entry) (local.get $listEnd)))
        (if (i32.ne (local.get $entry) (local.get $list))
          (then
            (i32.store8 (local.get $out) (i32.const 44))
            (local.set $out (i32.add (local.get $out) (i32.const 1)))))
        (local.set $at (i32.shl (i32.load (local.get $entry)) (i32.const 3)))
        (local.set $rowEnd (i32.add (local.get $at) (i32.load offset=4 (local.get $entry))))
        (local.set $text (local.get $frame))
        ;; The texts up to that of the specs, and behind each but the last the field that follows it.
        (block $fieldsDone
          (loop $nextText
            (v128.store (local.get $out) (v128.load (local.get $text)))
            (v128.store offset=16 (local.get $out) (v128.load offset=16 (local.get $text)))
            (local.set $out (i32.add (local.get $out) (i32.load offset=28 (local.get $text))))
            (br_if $fieldsDone (i32.ge_u (local.get $text) (local.get $specsText)))
            (local.set $text (i32.add (local.get $text) (i32.const 32)))
            (loop $moreOfField
              (local.set $bytes (v128.load (local.get $at)))
              (v128.store (local.get $out) (local.get $bytes))
              (local.set $marks
                (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x1f)))))
              (if (i32.eqz (local.get $marks))
                (then
                  (local.set $at (i32.add (local.get $at) (i32.const 16)))
                  (local.set $out (i32.add (local.get $out) (i32.const 16)))
                  (br $moreOfField))))
            (local.set $length (i32.ctz (local.get $marks)))
            (local.set $out (i32.add (local.get $out) (local.get $length)))
            (local.set $at (i32.add (local.get $at) (i32.add (local.get $length) (i32.const 1))))
            (br $nextText)))
        ;; The date is passed over for now.
        (local.set $date (local.get $at))
        (loop $moreOfDate
          (local.set $marks
            (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 0x1f)))))
          (if (i32.eqz (local.get $marks))
            (then
              (local.set $at (i32.add (local.get $at) (i32.const 16)))
              (br $moreOfDate))))
        (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $marks))))
        (local.set $length (i32.sub (local.get $at) (local.get $date)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (memory.copy (local.get $out) (local.get $at) (i32.sub (local.get $rowEnd) (local.get $at)))
        (local.set $out (i32.add (local.get $out) (i32.sub (local.get $rowEnd) (local.get $at))))
        (v128.store (local.get $out) (v128.load offset=224 (local.get $frame)))
        (v128.store offset=16 (local.get $out) (v128.load offset=240 (local.get $frame)))
        (local.set $out (i32.add (local.get $out) (i32.load offset=252 (local.get $frame))))
        (if (i32.le_u (local.get $length) (i32.const 32))
          (then
            (v128.store (local.get $out) (v128.load (local.get $date)))
            (v128.store offset=16 (local.get $out) (v128.load offset=16 (local.get $date))))
          (else (memory.copy (local.get $out) (local.get $date) (local.get $length))))
        (local.set $out (i32.add (local.get $out) (local.get $length)))
        (v128.store (local.get $out) (v128.load offset=256 (local.get $frame)))
        (local.set $out (i32.add (local.get $out) (i32.load offset=284 (local.get $frame))))
        (local.set $entry (i32.add (local.get $entry) (i32.const 8)))
        (br $nextRow)))
    ;; Never so, but the compiler must not find out that nobody needs the bytes that were touched.
    (if (i32.eq (local.get $touched) (i32.const 256)) (then (unreachable)))
    (local.get $out)))
