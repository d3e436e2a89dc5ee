// In charge of putting things in one order where many voices say which comes before which, and may contradict each other: as
// few voices as can be found are passed over. It knows only numbers.

/** How often `one` was said to come before `other`, at `one * size + other`. */
export type Votes = Int32Array

const sweepsMax = 20

/** The numbers from 0 up to `size`, in order; those that nothing is said of stay in theirs. Never worse than leaving them all. */
export function orderByVotes(size: number, votes: Votes): number[] {
  const order = improve(firstOrder(size, votes), votes)
  const asTheyCame = Array.from({ length: size }, (_, one) => one)
  // Moving one at a time can end in an order that no single move betters, and that is still worse than the one they came in.
  const isWorse = passedOver(order, votes) > passedOver(asTheyCame, votes)
  return isWorse ? improve(asTheyCame, votes) : order
}

/** How many voices the order goes against. */
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

/** Moves one number at a time to its best place, as long as that helps; changes `order` itself. */
function improve(order: number[], votes: Votes): number[] {
  for (let sweep = 0; sweep < sweepsMax; sweep++) {
    let isBetter = false
    for (const one of [...order]) isBetter = moveToBest(order, one, order.length, votes) || isBetter
    if (!isBetter) break
  }
  return order
}

/** Each time the first of those that nothing left is said to precede; if there is none, the one with the fewest against it. */
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

/** To where the fewest voices are against it; true where that is better than where it was. */
function moveToBest(order: number[], one: number, size: number, votes: Votes): boolean {
  const from = order.indexOf(one)
  order.splice(from, 1)
  // Against the first place, relative to it, and so on with every place further.
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
