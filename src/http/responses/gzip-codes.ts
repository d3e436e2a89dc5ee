// The prefix codes of quick-gzip. Written by scripts/train-gzip-codes.ts; do not edit.

/** The number of bits of each literal or length symbol, in hexadecimal. */
export const literalLengths =
  'cccccccccccccccccccccccccccccccc6c3ccccccccc577a55666677775cccccc8889baa9bcc98a99c977acacc99c9c7c575' +
  '647875b856567a555688a7a8c8cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc' +
  'ccccccccccccccccccccccccccccccccccccccccccccccccccccccccaccc788a87888777999abccccccccc'

/** The number of bits of each distance symbol. */
export const distanceLengths = 'bbccccaa6666664865273444454566'

/** The header of the deflate block, which declares these codes, in hexadecimal, and the number of its bits. */
export const blockHeader =
  'edfd659b23c97ab66d9b99999d3ecd7648139120086355f59ae965774db75b1a8fddedb61c8abc548a5591919a88c8aad194' +
  'cbcccccccccccccccccccc0c635b5553aa2a49dd3dcb6caf659849bc2ae3d079415c9109'
export const blockHeaderBits = 684
