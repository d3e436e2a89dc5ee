// Sets how many watches can be compared, and words how many are selected. Shared by the pages and the scripts, so it
// depends on neither.

export const comparedMin = 2
export const comparedMax = 4
const numberWords = ['no', 'one', 'two', 'three', 'four']

export function tickedText(count: number): string {
  if (count === 0) return `Select ${wordOf(comparedMin)} to ${wordOf(comparedMax)} watches to compare them.`
  if (count < comparedMin) return 'One watch selected. Select another to compare.'
  const ticked = `${count} watches selected`
  return count > comparedMax ? `${ticked}. You can compare up to ${wordOf(comparedMax)}.` : `${ticked}.`
}

/** The error for a comparison of too few or too many watches. */
export function wrongCount(count: number): string {
  return count === 0
    ? `Select ${wordOf(comparedMin)} to ${wordOf(comparedMax)} watches first.`
    : `You can compare up to ${wordOf(comparedMax)} watches; you selected ${count}.`
}

function wordOf(count: number): string {
  return numberWords[count] ?? String(count)
}
