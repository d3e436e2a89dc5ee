// The limits of reading files: how much is held in memory at once, and sizes that no legitimate file exceeds.

/** Bytes read, decoded and parsed at a time. */
export const chunkBytes = 256 * 1024
/** Bytes from which delimiter, header and format are detected. Every chunk but the last has at least this many. */
export const sampleBytes = 64 * 1024

export const recordBytesMax = 1024 * 1024
/** A table in one JSON object, without a list of records, is parsed as a whole. */
export const jsonTableBytesMax = 16 * 1024 * 1024
export const columnsMax = 4_096
export const columnNameCharsMax = 512
/** Nested objects become columns with dotted names. Arrays and specs are values and may be nested more deeply. */
export const flattenedDepthMax = 4
export const valueDepthMax = 32
/** Nested objects that come after this many columns stay values: the keys of an object may be ids. */
export const flattenedColumnsMax = 1_000

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

/** One tag or text of XML. A cell of Excel has at most 32,767 characters. */
export const xmlTokenCharsMax = 1024 * 1024
export const xmlAttributesMax = 256
export const xmlDepthMax = 64

/** The directory of a ZIP file is in memory: 16 MB have more than 100,000 files. */
export const zipDirectoryBytesMax = 16 * 1024 * 1024

/** A sheet is read as a stream, so this limits only the time: a million rows of fifty cells have less. */
export const sheetBytesMax = 4 * 1024 * 1024 * 1024
/** The texts of a workbook stand in one table, which is in memory. */
export const sharedTextBytesMax = 128 * 1024 * 1024
export const sharedTextsMax = 4_000_000
export const cellStylesMax = 100_000
/** Spreadsheet programs allow 255 characters. Brackets that are never closed take time by the square of the length. */
export const formatCodeCharsMax = 1_000
export const formatCodesCharsMax = 4 * 1024 * 1024
export const sheetsMax = 1_000
export const mergedCellsMax = 500_000
/** The size of a sheet in every spreadsheet program. */
export const sheetRowsMax = 1_048_576
export const sheetColumnsMax = 16_384
/** Bytes of a workbook that comes through a pipe, which is written to a temporary file first. */
export const spooledBytesMax = 2 * 1024 * 1024 * 1024
