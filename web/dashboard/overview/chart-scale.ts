// Computes the scale of a chart of counts: a round number at the top, whole numbers on the axis, and the width of a
// day.

/** All even, so that half of the top is a whole number. */
const steps = [2, 4, 6, 8, 10]
const lowestTop = 4
const decadesMax = 15

/** The width of each day next to the axis labels, which take `gutter`; undefined when there is no space to draw in. */
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
