// The default options of an import. Also for drills, which run without vitest.
import type { ImportOptions } from '../../src/imports/import-options.ts'

export const plainImport: ImportOptions = {
  read: {},
  map: undefined,
  rates: new Map(),
  currency: undefined,
  brand: undefined,
  key: undefined,
  source: 'import',
  isDryRun: false,
  isReplacing: false,
  isInBatches: false,
  who: 'operator',
}
