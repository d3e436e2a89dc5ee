// In charge of the words for how many watches are ticked to be compared, and of how many may be. Pages and scripts both
// say them, so it knows of neither.

export const comparedMin = 2
export const comparedMax = 4
const numberWords = ['no', 'one', 'two', 'three', 'four']

export function tickedText(count: number): string {
  if (count === 0)
    return `Tick ${wordOf(comparedMin)} to ${wordOf(comparedMax)} watches to see them side by side.`
  if (count < comparedMin) return 'One watch ticked: one more makes a comparison.'
  const ticked = `${count} watches ticked`
  return count > comparedMax ? `${ticked}: at most ${wordOf(comparedMax)} fit side by side.` : `${ticked}.`
}

/** Said where a comparison was asked for that cannot be. */
export function wrongCount(count: number): string {
  return count === 0
    ? `Tick between ${wordOf(comparedMin)} and ${wordOf(comparedMax)} watches first.`
    : `At most ${wordOf(comparedMax)} watches fit side by side; these are ${count}.`
}

function wordOf(count: number): string {
  return numberWords[count] ?? String(count)
}
