// In charge of how much of a file is held at once, and of what is refused because no honest file has it.

/** What is read, decoded and parsed at a time. */
export const chunkBytes = 256 * 1024
/** What the delimiter, the header and the format are found by; every chunk but the last has at least this. */
export const sampleBytes = 64 * 1024

export const recordBytesMax = 1024 * 1024
export const columnsMax = 4_096
export const columnNameCharsMax = 512
/** Objects within objects become columns with dotted names; arrays and specs are values and may go deeper. */
export const flattenedDepthMax = 4
export const valueDepthMax = 32

export const batchRecordsMax = 1_000
export const batchBytesMax = 4 * 1024 * 1024

/** A title, an export date, remarks: what may stand above the header. */
export const preambleRowsMax = 50
/** Rows of the sample that a header and a delimiter are held against. */
export const sampleRowsMax = 200
export const badValueCharsMax = 300

/** Text compresses to a tenth, to a hundredth where rows repeat. Below the first, the second is not asked. */
export const bombBytesMin = 64 * 1024 * 1024
export const bombRatioMax = 500

/** Of Parquet a page of each column is held, of lists and structs those of a whole row group. */
export const parquetMetadataBytesMax = 32 * 1024 * 1024
export const parquetPageBytesMax = 256 * 1024 * 1024
export const parquetPageValuesMax = 4_000_000
export const parquetPagesBytesMax = 512 * 1024 * 1024
export const parquetNestedBytesMax = 256 * 1024 * 1024
