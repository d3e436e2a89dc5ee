// The limits of reading files: how much is held in memory at once, and sizes that no legitimate file exceeds.

/** Bytes read, decoded and parsed at a time. */
export const chunkBytes = 256 * 1024
/** Bytes from which delimiter, header and format are detected. Every chunk but the last has at least this many. */
export const sampleBytes = 64 * 1024

export const recordBytesMax = 1024 * 1024
export const columnsMax = 4_096
export const columnNameCharsMax = 512
/** Nested objects become columns with dotted names. Arrays and specs are values and may be nested more deeply. */
export const flattenedDepthMax = 4
export const valueDepthMax = 32

export const batchRecordsMax = 1_000
export const batchBytesMax = 4 * 1024 * 1024

/** Rows that may stand above the header: a title, an export date, remarks. */
export const preambleRowsMax = 50
/** Rows of the sample that a header and a delimiter are compared with. */
export const sampleRowsMax = 200
export const badValueCharsMax = 300

/** Text compresses to a tenth, or to a hundredth if rows repeat. The ratio is checked only above `bombBytesMin`. */
export const bombBytesMin = 64 * 1024 * 1024
export const bombRatioMax = 500

/** In Parquet one page of each column is in memory; for lists and structs, all pages of a row group. */
export const parquetMetadataBytesMax = 32 * 1024 * 1024
export const parquetPageBytesMax = 256 * 1024 * 1024
export const parquetPageValuesMax = 4_000_000
export const parquetPagesBytesMax = 512 * 1024 * 1024
export const parquetNestedBytesMax = 256 * 1024 * 1024
