// In charge of the scale of a chart of counts: a round number that is high enough, whole numbers along the
// way, and the room of each day.

/** Halved, each of them is a whole number still. */
const steps = [2, 4, 6, 8, 10]
const lowestTop = 4
const decadesMax = 15

/** What each day has of the width that is left beside the numbers; undefined while there is none to draw in. */
export function findBand(width: number, gutter: number, days: number): number | undefined {
  return width > gutter && days > 0 ? (width - gutter) / days : undefined
}

/** The smallest round number that is not below `highest`. */
export function topOf(highest: number): number {
  for (let decade = 0; decade <= decadesMax; decade++) {
    const top = steps.map((step) => step * 10 ** decade).find((candidate) => candidate >= highest)
    if (top !== undefined) return Math.max(top, lowestTop)
  }
  return highest
}
