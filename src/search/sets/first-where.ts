// Binary search by a condition instead of a value.

/** Returns the first position where `isSo` holds, as it must for all after it; `end` if for none. */
export function firstWhere(from: number, end: number, isSo: (at: number) => boolean): number {
  let low = from
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isSo(middle)) high = middle
    else low = middle + 1
  }
  return low
}
