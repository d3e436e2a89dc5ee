;; Compresses a body into one deflate block in a single pass, with prefix codes that are known beforehand (RFC 1951).
;; A hash table holds where each sequence of six bytes was last seen. Sequences of four or five would be found more
;; often, but a short match takes as many bits as the literals that it replaces, and as much time as a long one.
;;
;; Memory, in bytes:
;;        0  the hash table: the low 16 bits of 8,192 addresses (whole ones would fill the first-level cache). An
;;           empty slot, or one of more than 64 KB ago, stands for some other address in the body, never for one
;;           before it: what is there is compared in any case.
;;   32,768  codes of the 256 literals, the end of the block, and the lengths 3 to 258: for each its bits, extra bits
;;           included, and their number, in words of 32 bits
;;   40,960  codes of the 30 distance symbols: the bits (16), their number (8), and the number with extra bits (8)
;;   65,536  the body
;;
;; Codes have at most 15 bits. With extra bits, a length and its distance have at most 48; together with the 7 that
;; wait for their byte to be full they fit into $buffer. Up to 24 bytes behind the body are read and 8 behind the
;; output are written.
(module
  (memory (export "memory") 16 16)
  (func (export "deflate")
    (param $at i32) (param $length i32) (param $out i32) (param $firstBits i32) (param $firstCount i32) (result i32)
    (local $end i32) (local $lastLookup i32) (local $next i64) (local $slot i32) (local $earlier i32) (local $far i32)
    (local $same i32) (local $max i32) (local $unequal i32) (local $difference i64) (local $extra i32) (local $code i32)
    (local $buffer i64) (local $count i64)
    (local.set $buffer (i64.extend_i32_u (local.get $firstBits)))
    (local.set $count (i64.extend_i32_u (local.get $firstCount)))
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (local.set $lastLookup (i32.sub (local.get $end) (i32.const 8)))
    (memory.fill (i32.const 0) (i32.const 0) (i32.const 16384))
    (block $done
      (loop $continue
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $next (i64.load (local.get $at)))
        (block $encoded
          (block $literal
            (br_if $literal (i32.gt_u (local.get $at) (local.get $lastLookup)))
            (local.set $slot (call $hash (local.get $next)))
            (local.set $far
              (i32.and
                (i32.sub (local.get $at) (i32.load16_u (local.get $slot)))
                (i32.const 0xffff)))
            (i32.store16 (local.get $slot) (local.get $at))
            (local.set $earlier (i32.sub (local.get $at) (local.get $far)))
            (br_if $literal
              (i32.or
                (i64.ne
                  (i64.shl (i64.xor (local.get $next) (i64.load (local.get $earlier))) (i64.const 16))
                  (i64.const 0))
                (i32.ge_u (i32.sub (local.get $far) (i32.const 1)) (i32.const 32768))))

            ;; The length of the match. Nearly all are shorter than 32 bytes, which are compared without a branch.
            (local.set $unequal
              (i32.xor
                (i32.or
                  (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (v128.load (local.get $earlier))))
                  (i32.shl
                    (i8x16.bitmask
                      (i8x16.eq (v128.load offset=16 (local.get $at)) (v128.load offset=16 (local.get $earlier))))
                    (i32.const 16)))
                (i32.const -1)))
            (local.set $same (i32.ctz (local.get $unequal)))
            (local.set $max (i32.sub (local.get $end) (local.get $at)))
            (if (i32.eqz (local.get $unequal))
              (then
                (local.set $max
                  (select (local.get $max) (i32.const 258) (i32.lt_u (local.get $max) (i32.const 258))))
                (block $measured
                  (loop $longer
                    (br_if $measured (i32.ge_u (local.get $same) (local.get $max)))
                    (local.set $difference
                      (i64.xor
                        (i64.load (i32.add (local.get $at) (local.get $same)))
                        (i64.load (i32.add (local.get $earlier) (local.get $same)))))
                    ;; Of a difference of 0, all 64 bits count as equal.
                    (local.set $same
                      (i32.add
                        (local.get $same)
                        (i32.wrap_i64 (i64.shr_u (i64.ctz (local.get $difference)) (i64.const 3)))))
                    (br_if $longer (i64.eqz (local.get $difference)))))))
            (local.set $same
              (select (local.get $same) (local.get $max) (i32.lt_u (local.get $same) (local.get $max))))

            ;; Of the positions inside the match, only the second and the last but one are entered in the hash table.
            (i32.store16
              (call $hash (i64.load offset=1 (local.get $at)))
              (i32.add (local.get $at) (i32.const 1)))
            (local.set $at (i32.add (local.get $at) (local.get $same)))
            (i32.store16
              (call $hash (i64.load (i32.sub (local.get $at) (i32.const 2))))
              (i32.sub (local.get $at) (i32.const 2)))

            ;; The length, whose codes follow those of the 256 literals and of the end of the block.
            (local.set $code (i32.shl (local.get $same) (i32.const 3)))
            (local.set $buffer
              (i64.or
                (local.get $buffer)
                (i64.shl (i64.load32_u offset=34800 (local.get $code)) (local.get $count))))
            (local.set $count (i64.add (local.get $count) (i64.load32_u offset=34804 (local.get $code))))

            ;; The distance. Its symbol is made of the number of its extra bits and of the two bits before them.
            (local.set $far (i32.sub (local.get $far) (i32.const 1)))
            (local.set $extra
              (select
                (i32.sub (i32.const 30) (i32.clz (local.get $far)))
                (i32.const 0)
                (i32.ge_u (local.get $far) (i32.const 4))))
            (local.set $code
              (i32.shl
                (i32.add
                  (i32.shl (local.get $extra) (i32.const 1))
                  (i32.shr_u (local.get $far) (local.get $extra)))
                (i32.const 2)))
            (local.set $far
              (i32.and
                (local.get $far)
                (i32.sub (i32.shl (i32.const 1) (local.get $extra)) (i32.const 1))))
            (local.set $buffer
              (i64.or
                (local.get $buffer)
                (i64.shl
                  (i64.or
                    (i64.load16_u offset=40960 (local.get $code))
                    (i64.shl
                      (i64.extend_i32_u (local.get $far))
                      (i64.load8_u offset=40962 (local.get $code))))
                  (local.get $count))))
            (local.set $count (i64.add (local.get $count) (i64.load8_u offset=40963 (local.get $code))))
            (br $encoded))
          (local.set $code (i32.shl (i32.and (i32.wrap_i64 (local.get $next)) (i32.const 255)) (i32.const 3)))
          (local.set $buffer
            (i64.or
              (local.get $buffer)
              (i64.shl (i64.load32_u offset=32768 (local.get $code)) (local.get $count))))
          (local.set $count (i64.add (local.get $count) (i64.load32_u offset=32772 (local.get $code))))
          (local.set $at (i32.add (local.get $at) (i32.const 1))))
        ;; All bits are written, and those of full bytes are passed over. Whether a byte is full is not to be guessed.
        (i64.store (local.get $out) (local.get $buffer))
        (local.set $out (i32.add (local.get $out) (i32.wrap_i64 (i64.shr_u (local.get $count) (i64.const 3)))))
        (local.set $buffer (i64.shr_u (local.get $buffer) (i64.and (local.get $count) (i64.const 56))))
        (local.set $count (i64.and (local.get $count) (i64.const 7)))
        (br $continue)))
    (i64.store
      (local.get $out)
      (i64.or (local.get $buffer) (i64.shl (i64.load32_u offset=34816 (i32.const 0)) (local.get $count))))
    (local.set $count (i64.add (local.get $count) (i64.load32_u offset=34820 (i32.const 0))))
    ;; The end of the output: behind the last byte, full or not.
    (i32.add
      (local.get $out)
      (i32.wrap_i64 (i64.shr_u (i64.add (local.get $count) (i64.const 7)) (i64.const 3)))))

  ;; The address of the slot for the first six of eight bytes.
  (func $hash (param $bytes i64) (result i32)
    (i32.shl
      (i32.wrap_i64
        (i64.shr_u
          (i64.mul (i64.shl (local.get $bytes) (i64.const 16)) (i64.const 0x9e3779b185ebca87))
          (i64.const 51)))
      (i32.const 1))))
