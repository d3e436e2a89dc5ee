// Sets by how much the old generation of V8's heap may grow between two collections: by a number of megabytes. V8 knows
// only a share of the heap. The one that keeps a large catalogue small (15 %) made V8 mark a small heap every second
// while requests with new keys came in, which took a fifth of the core.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const growthBytes = 32 * 2 ** 20
/** As in the flags of `npm start`. */
const percentMin = 15
const percentMax = 100
const everyMs = 5_000

/** For the life of the process. */
export function limitHeapGrowth(): void {
  setInterval(setGrowth, everyMs).unref()
  setGrowth()
}

/** V8 reads the flag at the end of each collection, so it may change at any time. */
function setGrowth(): void {
  const percent = (100 * growthBytes) / getHeapStatistics().used_heap_size
  const bounded = Math.round(Math.min(Math.max(percent, percentMin), percentMax))
  setFlagsFromString(`--heap-growing-percent=${bounded}`)
}
