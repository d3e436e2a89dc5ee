// The dependencies of the catalogue routes.
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { CompressedBodies } from '../responses/compress.ts'
import type { Charges } from './charge.ts'

export interface CatalogueParts {
  readonly index: () => WatchIndex
  readonly baseUrl: string
  readonly compressed: CompressedBodies
  readonly charges: Charges
}
