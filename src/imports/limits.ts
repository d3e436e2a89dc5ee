// In charge of how much of everything an import takes. A row beyond one of these is rejected, and says so.

/** As long as a filter may be, so that whatever is stored can be asked for. */
export const brandCharsMax = 128
export const referenceCharsMax = 128
export const collectionCharsMax = 256
/** What can be written by hand comes back from an export, too. */
export const exportedNameCharsMax = 512

export const specKeyCharsMax = 128
export const specsMax = 500
export const specsBytesMax = 65_536
export const specsDepthMax = 32

export { priceMax } from '../catalogue/prices.ts'

/** Records that decide what a column is. */
export const sampledRecordsMax = 1_000
/** Of a file with many columns fewer records decide. */
export const sampledCellsMax = 1_000_000

/** Of what was there, in a reject and in a table of columns. */
export const rejectedValueCharsMax = 200
export const exampleCharsMax = 60

/** Readings that a column remembers: most values come again and again. */
export const rememberedCellsMax = 10_000
/** Longer cells are rarely the same. */
export const rememberedCellCharsMax = 200

/** A mapping is for people; beyond this it is the wrong file. */
export const mappingCharsMax = 10_000_000
export const unitCharsMax = 32
