// Orders numbers by votes on which comes before which. Votes may contradict each other: the order violates as few of
// them as can be found. Knows nothing of what the numbers stand for.

/** At `one * size + other`: how many votes say that `one` comes before `other`. */
export type Votes = Int32Array

const sweepsMax = 20

/**
 * Returns the numbers from 0 to `size - 1` in order. Numbers without votes keep their order. The result is never worse
 * than the original order.
 */
export function orderByVotes(size: number, votes: Votes): number[] {
  const order = improve(firstOrder(size, votes), votes)
  const originalOrder = Array.from({ length: size }, (_, one) => one)
  // Moving one number at a time can end in a local optimum that is worse than the original order.
  const isWorse = passedOver(order, votes) > passedOver(originalOrder, votes)
  return isWorse ? improve(originalOrder, votes) : order
}

/** Returns how many votes the order violates. */
function passedOver(order: readonly number[], votes: Votes): number {
  const size = order.length
  let count = 0
  for (let at = 0; at < size; at++) {
    for (let after = at + 1; after < size; after++) {
      count += votes[(order[after] as number) * size + (order[at] as number)] as number
    }
  }
  return count
}

/** Moves one number at a time to its best position, as long as that helps. Changes `order` in place. */
function improve(order: number[], votes: Votes): number[] {
  for (let sweep = 0; sweep < sweepsMax; sweep++) {
    let isBetter = false
    for (const one of [...order]) isBetter = moveToBest(order, one, order.length, votes) || isBetter
    if (!isBetter) break
  }
  return order
}

/** Repeatedly takes the number with the fewest votes that put it behind another remaining one; of equals, the first. */
function firstOrder(size: number, votes: Votes): number[] {
  const left = new Set(Array.from({ length: size }, (_, one) => one))
  const against: number[] = new Array(size).fill(0)
  const count = (one: number, sign: 1 | -1) => {
    for (const other of left) {
      against[other] = (against[other] as number) + sign * (votes[one * size + other] as number)
    }
  }
  for (const one of left) count(one, 1)
  const order: number[] = []
  while (left.size > 0) {
    let next = -1
    for (const one of left)
      if (next === -1 || (against[one] as number) < (against[next] as number)) next = one
    left.delete(next)
    order.push(next)
    count(next, -1)
  }
  return order
}

/** Moves the number to where the fewest votes are against it. Returns whether that is better than where it was. */
function moveToBest(order: number[], one: number, size: number, votes: Votes): boolean {
  const from = order.indexOf(one)
  order.splice(from, 1)
  // The votes against each position, relative to those against the first.
  let against = 0
  let [best, bestAgainst, fromAgainst] = [0, 0, 0]
  for (let place = 0; place <= order.length; place++) {
    if (place === from) fromAgainst = against
    if (against < bestAgainst) [best, bestAgainst] = [place, against]
    const other = order[place]
    if (other !== undefined) {
      against += (votes[one * size + other] as number) - (votes[other * size + one] as number)
    }
  }
  const isBetter = bestAgainst < fromAgainst
  order.splice(isBetter ? best : from, 0, one)
  return isBetter
}
