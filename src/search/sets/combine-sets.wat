;; The inner loops of the index.
;; combine: two sets of watches, one bit a watch, made into a third, 128 bits at a time.
;;   out = ((a xor notA) and (b xor notB)) xor notOut
;; With masks of all zeros this is AND; (-1, 0, 0) takes a from b; (-1, -1, -1) is OR.
;; Behind the bits of `out` it writes how many are set up to the end of each block of 256 bytes: the directory by
;; which a deep page is found without a scan. Returns how many are set in all. `bytes` is a multiple of 256.
;; meet: what is in all of four sets, with counts and directory like the above, in one walk through memory.
;; without: b without the members of a, like combine, but neither counted nor with a directory: twice as fast.
;; common: how many are in both of two sets; writes nothing.
;; mark: sets the bit of every ordinal of a list to `bit`, 0 or 1; counts and directory are left as they were.
;; list: writes the ordinals whose bit is set to `to`, in order; returns how many. `bytes` is a multiple of 256.
;; copy and clear: bytes, which may overlap. JavaScript copies and clears shared memory several times as slowly.
;; keep: of a list of ordinals those whose bit in the set, xor `flip`, is 1, written to `to`, which may be the list
;; itself; returns how many. Every ordinal is written, and kept only by counting it: whether it is a member is not to be
;; guessed.
;; keepListed: the same with the members of another list. Both are sorted. The other list is passed over 256 and then 16
;; members at a time; the 16 among which the ordinal must be are compared at once.
(module
  (import "index" "memory" (memory 1 65536 shared))
  (func (export "combine")
    (param $a i32) (param $b i32) (param $out i32)
    (param $notA i32) (param $notB i32) (param $notOut i32) (param $bytes i32)
    (result i32)
    (local $end i32) (local $blockEnd i32) (local $rank i32) (local $total i32)
    (local $word v128) (local $counts v128)
    (local $maskA v128) (local $maskB v128) (local $maskOut v128)
    (local.set $maskA (i32x4.splat (local.get $notA)))
    (local.set $maskB (i32x4.splat (local.get $notB)))
    (local.set $maskOut (i32x4.splat (local.get $notOut)))
    (local.set $end (i32.add (local.get $out) (local.get $bytes)))
    (local.set $rank (local.get $end))
    (block $done
      (loop $nextBlock
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $counts (v128.const i32x4 0 0 0 0))
        (local.set $blockEnd (i32.add (local.get $out) (i32.const 256)))
        (loop $nextWord
          (local.set $word
            (v128.xor
              (v128.and
                (v128.xor (v128.load (local.get $a)) (local.get $maskA))
                (v128.xor (v128.load (local.get $b)) (local.get $maskB)))
              (local.get $maskOut)))
          (v128.store (local.get $out) (local.get $word))
          ;; Sixteen words a block, at most eight bits set in each byte: a byte counts to 128 and never overflows.
          (local.set $counts (i8x16.add (local.get $counts) (i8x16.popcnt (local.get $word))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (br_if $nextWord (i32.lt_u (local.get $out) (local.get $blockEnd))))
        (local.set $total (i32.add (local.get $total) (call $sum (local.get $counts))))
        (i32.store (local.get $rank) (local.get $total))
        (local.set $rank (i32.add (local.get $rank) (i32.const 4)))
        (br $nextBlock)))
    (local.get $total))

  (func (export "meet")
    (param $a i32) (param $b i32) (param $c i32) (param $d i32) (param $out i32) (param $bytes i32)
    (result i32)
    (local $end i32) (local $blockEnd i32) (local $rank i32) (local $total i32)
    (local $word v128) (local $counts v128)
    (local.set $end (i32.add (local.get $out) (local.get $bytes)))
    (local.set $rank (local.get $end))
    (block $done
      (loop $nextBlock
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $counts (v128.const i32x4 0 0 0 0))
        (local.set $blockEnd (i32.add (local.get $out) (i32.const 256)))
        (loop $nextWord
          (local.set $word
            (v128.and
              (v128.and (v128.load (local.get $a)) (v128.load (local.get $b)))
              (v128.and (v128.load (local.get $c)) (v128.load (local.get $d)))))
          (v128.store (local.get $out) (local.get $word))
          (local.set $counts (i8x16.add (local.get $counts) (i8x16.popcnt (local.get $word))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (local.set $c (i32.add (local.get $c) (i32.const 16)))
          (local.set $d (i32.add (local.get $d) (i32.const 16)))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))
          (br_if $nextWord (i32.lt_u (local.get $out) (local.get $blockEnd))))
        (local.set $total (i32.add (local.get $total) (call $sum (local.get $counts))))
        (i32.store (local.get $rank) (local.get $total))
        (local.set $rank (i32.add (local.get $rank) (i32.const 4)))
        (br $nextBlock)))
    (local.get $total))

  (func $sum (param $counts v128) (result i32)
    (local.set $counts (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $counts))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $counts)) (i32x4.extract_lane 1 (local.get $counts)))
      (i32.add (i32x4.extract_lane 2 (local.get $counts)) (i32x4.extract_lane 3 (local.get $counts)))))

  (func (export "keep")
    (param $list i32) (param $count i32) (param $to i32) (param $set i32) (param $flip i32)
    (result i32)
    (local $end i32) (local $start i32) (local $ordinal i32)
    (local.set $start (local.get $to))
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $ordinal (i32.load (local.get $list)))
        (i32.store (local.get $to) (local.get $ordinal))
        (local.set $to
          (i32.add (local.get $to)
            (i32.shl
              (i32.xor
                (i32.and
                  (i32.shr_u
                    (i32.load8_u (i32.add (local.get $set) (i32.shr_u (local.get $ordinal) (i32.const 3))))
                    (i32.and (local.get $ordinal) (i32.const 7)))
                  (i32.const 1))
                (local.get $flip))
              (i32.const 2))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

  (func (export "keepListed")
    (param $list i32) (param $count i32) (param $to i32)
    (param $other i32) (param $otherCount i32) (param $flip i32)
    (result i32)
    (local $end i32) (local $start i32) (local $otherEnd i32)
    (local $ordinal i32) (local $isMember i32) (local $wanted v128)
    (local.set $start (local.get $to))
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $otherEnd (i32.add (local.get $other) (i32.shl (local.get $otherCount) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $ordinal (i32.load (local.get $list)))
        (block $reached256
          (loop $pass256
            (br_if $reached256 (i32.lt_u (i32.sub (local.get $otherEnd) (local.get $other)) (i32.const 1024)))
            (br_if $reached256 (i32.ge_u (i32.load offset=1020 (local.get $other)) (local.get $ordinal)))
            (local.set $other (i32.add (local.get $other) (i32.const 1024)))
            (br $pass256)))
        (block $reached16
          (loop $pass16
            (br_if $reached16 (i32.lt_u (i32.sub (local.get $otherEnd) (local.get $other)) (i32.const 64)))
            (br_if $reached16 (i32.ge_u (i32.load offset=60 (local.get $other)) (local.get $ordinal)))
            (local.set $other (i32.add (local.get $other) (i32.const 64)))
            (br $pass16)))
        (if (i32.ge_u (i32.sub (local.get $otherEnd) (local.get $other)) (i32.const 64))
          (then
            (local.set $wanted (i32x4.splat (local.get $ordinal)))
            (local.set $isMember
              (v128.any_true
                (v128.or
                  (v128.or
                    (i32x4.eq (v128.load (local.get $other)) (local.get $wanted))
                    (i32x4.eq (v128.load offset=16 (local.get $other)) (local.get $wanted)))
                  (v128.or
                    (i32x4.eq (v128.load offset=32 (local.get $other)) (local.get $wanted))
                    (i32x4.eq (v128.load offset=48 (local.get $other)) (local.get $wanted)))))))
          (else
            (block $reached
              (loop $pass
                (br_if $reached (i32.ge_u (local.get $other) (local.get $otherEnd)))
                (br_if $reached (i32.ge_u (i32.load (local.get $other)) (local.get $ordinal)))
                (local.set $other (i32.add (local.get $other) (i32.const 4)))
                (br $pass)))
            (local.set $isMember
              (if (result i32) (i32.lt_u (local.get $other) (local.get $otherEnd))
                (then (i32.eq (i32.load (local.get $other)) (local.get $ordinal)))
                (else (i32.const 0))))))
        (i32.store (local.get $to) (local.get $ordinal))
        (local.set $to
          (i32.add
            (local.get $to)
            (i32.shl (i32.xor (local.get $isMember) (local.get $flip)) (i32.const 2))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $start)) (i32.const 2)))

  (func (export "common") (param $a i32) (param $b i32) (param $bytes i32) (result i32)
    (local $end i32) (local $blockEnd i32) (local $total i32) (local $counts v128)
    (local.set $end (i32.add (local.get $a) (local.get $bytes)))
    (block $done
      (loop $nextBlock
        (br_if $done (i32.ge_u (local.get $a) (local.get $end)))
        (local.set $counts (v128.const i32x4 0 0 0 0))
        (local.set $blockEnd (i32.add (local.get $a) (i32.const 256)))
        (loop $nextWord
          (local.set $counts
            (i8x16.add
              (local.get $counts)
              (i8x16.popcnt (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))))
          (local.set $a (i32.add (local.get $a) (i32.const 16)))
          (local.set $b (i32.add (local.get $b) (i32.const 16)))
          (br_if $nextWord (i32.lt_u (local.get $a) (local.get $blockEnd))))
        (local.set $total (i32.add (local.get $total) (call $sum (local.get $counts))))
        (br $nextBlock)))
    (local.get $total))

  (func (export "without") (param $a i32) (param $b i32) (param $out i32) (param $bytes i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $out) (local.get $bytes)))
    (loop $next
      (v128.store (local.get $out) (v128.andnot (v128.load (local.get $b)) (v128.load (local.get $a))))
      (v128.store offset=16 (local.get $out)
        (v128.andnot (v128.load offset=16 (local.get $b)) (v128.load offset=16 (local.get $a))))
      (local.set $a (i32.add (local.get $a) (i32.const 32)))
      (local.set $b (i32.add (local.get $b) (i32.const 32)))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $out) (local.get $end)))))

  (func (export "mark") (param $list i32) (param $count i32) (param $set i32) (param $bit i32)
    (local $end i32) (local $ordinal i32) (local $place i32) (local $shift i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $ordinal (i32.load (local.get $list)))
        (local.set $shift (i32.and (local.get $ordinal) (i32.const 7)))
        (local.set $place (i32.add (local.get $set) (i32.shr_u (local.get $ordinal) (i32.const 3))))
        (i32.store8 (local.get $place)
          (i32.or
            (i32.and
              (i32.load8_u (local.get $place))
              (i32.xor (i32.shl (i32.const 1) (local.get $shift)) (i32.const 255)))
            (i32.shl (local.get $bit) (local.get $shift))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  (func (export "list") (param $set i32) (param $bytes i32) (param $to i32) (result i32)
    (local $at i32) (local $from i32) (local $word i64)
    (local.set $from (local.get $to))
    (block $done
      (loop $nextWord
        (br_if $done (i32.ge_u (local.get $at) (local.get $bytes)))
        (local.set $word (i64.load (i32.add (local.get $set) (local.get $at))))
        (block $empty
          (loop $nextBit
            (br_if $empty (i64.eqz (local.get $word)))
            (i32.store
              (local.get $to)
              (i32.add (i32.shl (local.get $at) (i32.const 3)) (i32.wrap_i64 (i64.ctz (local.get $word)))))
            (local.set $to (i32.add (local.get $to) (i32.const 4)))
            (local.set $word (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
            (br $nextBit)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $nextWord)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $from)) (i32.const 2)))

  (func (export "copy") (param $to i32) (param $from i32) (param $bytes i32)
    (memory.copy (local.get $to) (local.get $from) (local.get $bytes)))

  (func (export "clear") (param $at i32) (param $bytes i32)
    (memory.fill (local.get $at) (i32.const 0) (local.get $bytes))))
