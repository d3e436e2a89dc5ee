// What the routes of the catalogue work with.
import type { WatchIndex } from '../search/watch-index.ts'
import type { Charges } from './charge.ts'
import type { CompressedBodies } from './compress.ts'

export interface CatalogueParts {
  readonly index: () => WatchIndex
  readonly baseUrl: string
  readonly compressed: CompressedBodies
  readonly charges: Charges
}
