// The limits of an import. A row that exceeds one is rejected with a reason.

/** The maximum length of a filter value, so that every stored value can be filtered for. */
export const brandCharsMax = 128
export const referenceCharsMax = 128
export const collectionCharsMax = 256
/** Larger than the other limits: names edited by hand may be longer, and their exports must import again. */
export const exportedNameCharsMax = 512

export const specKeyCharsMax = 128
export const specsMax = 500
export const specsBytesMax = 65_536
export const specsDepthMax = 32

/** Columns that a file and its pairs of name and value may have together, and the length of their names. */
export const columnsMax = 4_096
export const columnNameCharsMax = 512

/** Records inspected to decide what a column is. */
export const sampledRecordsMax = 1_000
/** Cells inspected in all: fewer records are inspected in a file with many columns. */
export const sampledCellsMax = 1_000_000

/** Characters shown of a cell, in a rejected row and in the table of columns. */
export const rejectedValueCharsMax = 200
export const exampleCharsMax = 60

/** Parsed cells cached for each column: most values occur many times. */
export const cachedCellsMax = 10_000
/** Longer cells rarely occur twice, so they are not cached. */
export const cachedCellCharsMax = 200

/** Mappings are edited by hand; a file longer than this is not a mapping. */
export const mappingCharsMax = 10_000_000
export const unitCharsMax = 32
