// Hashes texts that are new with every request, as URLs are: their characters are copied into memory by native code and
// then read four at a time. `charCodeAt` would look at the kind of the string again for every character.

const memory = Buffer.allocUnsafeSlow(8 * 1_024)
const words = new Int32Array(memory.buffer, memory.byteOffset, memory.length / 4)

/** 32 bits. Of a long text, only the first 8 KB count; of a character outside Latin-1, only its low byte. */
export function hashQuickly(text: string): number {
  const length = memory.write(text, 'latin1')
  const wholeWords = length >>> 2
  let sum = text.length
  for (let at = 0; at < wholeWords; at++) {
    sum = Math.imul(sum ^ (words[at] as number), wordFactor)
    sum ^= sum >>> 15
  }
  for (let at = wholeWords << 2; at < length; at++) sum = Math.imul(sum ^ (memory[at] as number), byteFactor)
  // Mixes high bits into the low bits, which select the slot.
  sum = Math.imul(sum ^ (sum >>> 13), lastFactor)
  return sum ^ (sum >>> 16)
}

const wordFactor = 0x9e3779b1
const byteFactor = 0x01000193
const lastFactor = 0x85ebca6b
