// The table of workloads, in the order in which they run: the first ones warm the service up for the others.
import { cold } from './cold.ts'
import { explorerPage } from './explorer-page.ts'
import { facets } from './facets.ts'
import { listBr } from './list-br.ts'
import { listGzip } from './list-gzip.ts'
import { listPlain } from './list-plain.ts'
import { notModified } from './not-modified.ts'
import { priceRange } from './price-range.ts'
import { single } from './single.ts'
import { sort } from './sort.ts'
import { text } from './text.ts'
import type { Workload } from './workload.ts'

export const workloads: readonly Workload[] = [
  listPlain,
  listGzip,
  listBr,
  single,
  notModified,
  facets,
  sort,
  text,
  priceRange,
  cold,
  explorerPage,
]
