import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { workbookFile } from '../../test/files/write-xlsx.ts'
import { zipFile } from '../../test/files/write-zip.ts'
import { openRecords } from './open-records.ts'
import type { BadRecord, ReadOptions, RecordsFile } from './records.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'open-records-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function save(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, `${files++}-${name}`)
  writeFileSync(file, content)
  return file
}

interface Read {
  readonly format: RecordsFile['format']
  readonly columns: readonly string[]
  readonly rows: (readonly unknown[])[]
  readonly bad: BadRecord[]
}

async function read(file: string, options: ReadOptions = {}): Promise<Read> {
  const opened = await openRecords(file, options)
  const found = {
    format: opened.format,
    columns: [] as readonly string[],
    rows: [] as (readonly unknown[])[],
    bad: [] as BadRecord[],
  }
  for await (const { columns, records, bad } of opened.batches()) {
    found.columns = columns
    found.rows.push(...records.map(({ cells }) => cells))
    found.bad.push(...bad)
  }
  return found
}

const csv = 'ref,brand\nA1,Rolex\nB2,Omega\n'
const ndjson = '{"ref":"A1","brand":"Rolex"}\n{"ref":"B2","brand":"Omega"}\n'
const json = '[{"ref":"A1","brand":"Rolex"},{"ref":"B2","brand":"Omega"}]'
const pretty = JSON.stringify({ data: JSON.parse(json), meta: { total: 2 } }, undefined, 2)
const parquet = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: 'ref', data: ['A1', 'B2'], type: 'STRING' },
      { name: 'brand', data: ['Rolex', 'Omega'], type: 'STRING' },
    ],
  }),
)
const xlsx = workbookFile([
  {
    rows: [
      ['ref', 'brand'],
      ['A1', 'Rolex'],
      ['B2', 'Omega'],
    ],
  },
])
const expected = {
  columns: ['ref', 'brand'],
  rows: [
    ['A1', 'Rolex'],
    ['B2', 'Omega'],
  ],
  bad: [],
}

describe('a file is read in its format', () => {
  test.each([
    ['x.csv', csv, 'csv'],
    ['x.tsv', csv.replaceAll(',', '\t'), 'csv'],
    ['x.txt', csv.replaceAll(',', ';'), 'csv'],
    ['x', csv, 'csv'],
    ['x.csv', `\uFEFF${csv.replaceAll('\n', '\r\n')}`, 'csv'],
    ['x.csv', Buffer.from(`\uFEFF${csv}`, 'utf16le'), 'csv'],
    ['x.ndjson', ndjson, 'ndjson'],
    ['x.jsonl', ndjson, 'ndjson'],
    ['x.json', ndjson, 'ndjson'],
    ['x', ndjson, 'ndjson'],
    ['x.json', json, 'json'],
    ['x.ndjson', json, 'json'],
    ['x', ` \n${json}`, 'json'],
    ['x.json', pretty, 'json'],
    ['x.json', JSON.stringify(JSON.parse(pretty)), 'json'],
    [
      'x.json',
      JSON.parse(json)
        .map((record: unknown) => JSON.stringify(record, undefined, 1))
        .join('\n'),
      'json',
    ],
    ['x.parquet', parquet, 'parquet'],
    ['x.csv', parquet, 'parquet'],
    ['x.xlsx', xlsx, 'xlsx'],
    ['x', xlsx, 'xlsx'],
    ['x.xlsx.gz', gzipSync(xlsx), 'xlsx'],
    ['x.zip', zipFile([{ path: 'x.csv', content: csv }]), 'csv'],
  ] as const)('%s (%#)', async (name, content, format) => {
    expect(await read(save(name, content))).toEqual({ format, ...expected })
  })

  test.each(['x.csv', 'x.ndjson', 'x.json'])('%s, compressed as well, whatever its name', async (name) => {
    const content = { 'x.csv': csv, 'x.ndjson': ndjson, 'x.json': pretty }[name] ?? ''
    const twice = Buffer.concat([gzipSync(content.slice(0, 20)), gzipSync(content.slice(20))])
    expect(await read(save(`${name}.gz`, gzipSync(content)))).toMatchObject(expected)
    expect(await read(save(`${name}.zst`, zstdCompressSync(content)))).toMatchObject(expected)
    expect(await read(save(name, gzipSync(content)))).toMatchObject(expected)
    expect(await read(save(name, zstdCompressSync(content)))).toMatchObject(expected)
    expect(await read(save(`${name}.gz`, twice))).toMatchObject(expected)
  })

  test('by the format that is given', async () => {
    expect(await read(save('x.csv', ndjson), { format: 'ndjson' })).toMatchObject(expected)
    expect(await read(save('x', ndjson), { format: 'json' })).toMatchObject(expected)
    await expect(read(save('x.csv', csv), { format: 'parquet' })).rejects.toThrow(
      'is not Parquet: leave out the format.',
    )
  })

  test('by the encoding that is given', async () => {
    const found = await read(save('x.csv', Buffer.from('ref,name\n1,Panth\xe8re\n', 'latin1')), {
      encoding: 'latin1',
    })
    expect(found.rows).toEqual([['1', 'Panthère']])
  })

  test('and has its name and size', async () => {
    const file = save('x.csv', csv)
    const opened = await openRecords(file, {})
    expect(opened).toMatchObject({ name: file, bytes: csv.length })
    await opened.close()
    await opened.close()
  })

  test.each([
    ['x.csv', 'ref,brand\n'],
    ['x.json', '[]'],
  ])('%s without records has none, and that is no error', async (name, content) => {
    expect((await read(save(name, content))).rows).toEqual([])
  })
})

describe('pipes are read', () => {
  const program = `
    import { openRecords } from ${JSON.stringify(path.join(import.meta.dirname, 'open-records.ts'))}
    const [path] = process.argv.slice(1)
    try {
      const file = await openRecords(path, {})
      let records = 0
      for await (const batch of file.batches()) records += batch.records.length
      console.log(JSON.stringify({ name: file.name, format: file.format, bytes: file.bytes ?? null, records }))
    } catch (error) {
      console.log(error.message)
    }`

  function run(argument: string, input: string | Buffer, flags: readonly string[] = []): string {
    const options = { input, encoding: 'utf8', timeout: 20_000 } as const
    return execFileSync(
      process.execPath,
      [...flags, '--input-type=module', '-e', program, argument],
      options,
    ).trim()
  }

  test.each([
    ['CSV', csv, 'csv'],
    ['NDJSON', ndjson, 'ndjson'],
    ['JSON', json, 'json'],
    ['compressed CSV', gzipSync(csv), 'csv'],
    ['XLSX', xlsx, 'xlsx'],
  ])('%s from standard input', (_, content, format) => {
    const told = JSON.stringify({ name: 'stdin', format, bytes: null, records: 2 })
    expect(run(format === 'json' ? '/dev/stdin' : '-', content)).toBe(told)
  })

  test('empty standard input is rejected', () => {
    expect(run('-', '')).toBe('stdin is empty: there is nothing to read in it.')
  })

  test('Parquet from standard input is rejected with advice', () => {
    expect(run('-', Buffer.from(parquet))).toContain('give the file itself')
  })

  test('a named pipe', async () => {
    const pipe = path.join(folder, 'pipe')
    execFileSync('sh', ['-c', `mkfifo ${pipe}`])
    const writer = spawn('sh', ['-c', `printf 'ref,brand\\nA1,Rolex\\n' > ${pipe}`])
    onTestFinished(() => void writer.kill())
    expect((await read(pipe)).rows).toEqual([['A1', 'Rolex']])
  })

  test('100 MB in a heap of 40 MB', async () => {
    const rows = Array.from(
      { length: 1_000 },
      (_, at) => `A${at},Rolex,"Submariner, ${at}",${'x'.repeat(300)}\n`,
    ).join('')
    const child = spawn(process.execPath, [
      '--max-old-space-size=40',
      '--input-type=module',
      '-e',
      program,
      '-',
    ])
    let told = ''
    child.stdout.on('data', (chunk) => {
      told += chunk
    })
    child.stdin.write('ref,brand,name,note\n')
    const block = Buffer.from(rows)
    const times = Math.ceil(100_000_000 / block.length)
    for (let time = 0; time < times; time++) {
      if (!child.stdin.write(block)) await new Promise((resolve) => child.stdin.once('drain', resolve))
    }
    child.stdin.end()
    await new Promise((resolve) => child.once('close', resolve))
    expect(JSON.parse(told)).toMatchObject({ records: times * 1_000 })
  })
})

describe('batches', () => {
  test('hold at most 1,000 records and 4 MiB, in the order of the file', async () => {
    const small = Array.from({ length: 3_500 }, (_, at) => `${at},x`).join('\n')
    const large = Array.from({ length: 20 }, (_, at) => `${at},${'y'.repeat(900_000)}`).join('\n')
    const sizes: number[] = []
    const numbers: unknown[] = []
    const opened = await openRecords(save('x.csv', `number,text\n${small}\n${large}\n`), {})
    for await (const { records, bytesRead } of opened.batches()) {
      sizes.push(records.length)
      numbers.push(...records.map(({ cells }) => cells[0]))
      expect(bytesRead).toBeGreaterThan(0)
    }
    expect(sizes).toEqual([1_000, 1_000, 1_000, 505, 5, 5, 5])
    expect(numbers.slice(0, 3_500)).toEqual(Array.from({ length: 3_500 }, (_, at) => `${at}`))
  })

  test.each(['x.csv', 'x.csv.gz', 'x.csv.zst', 'x.parquet', 'x.xlsx'])(
    'of %s may be left early, and the file is closed',
    async (name) => {
      const text = `ref,brand\n${'A1,Rolex\n'.repeat(50_000)}`
      const data = Array.from({ length: 50_000 }, (_, at) => `A${at}`)
      const content = name.endsWith('.gz')
        ? gzipSync(text)
        : name.endsWith('.zst')
          ? zstdCompressSync(text)
          : name.endsWith('.parquet')
            ? new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'ref', data, type: 'STRING' }] }))
            : name.endsWith('.xlsx')
              ? workbookFile([{ rows: [['ref'], ...data.map((ref) => [ref])] }])
              : text
      const file = save(name, content)
      const opened = await openRecords(file, {})
      expect(isOpen(file)).toBe(true)
      for await (const { records } of opened.batches()) {
        expect(records).toHaveLength(1_000)
        break
      }
      expect(isOpen(file)).toBe(false)
    },
  )

  test('may be left unread', async () => {
    const file = save('x.csv.gz', gzipSync(csv))
    const opened = await openRecords(file, {})
    await opened.close()
    expect(isOpen(file)).toBe(false)
  })

  test('that fail close the file as well', async () => {
    const file = save('x.csv', 'a,b\n1,"2\n')
    await expect(read(file)).rejects.toThrow('is never closed')
    expect(isOpen(file)).toBe(false)
    const empty = save('x.csv', '')
    await expect(read(empty)).rejects.toThrow('is empty')
    expect(isOpen(empty)).toBe(false)
  })
})

/** Whether this process has the file open. */
function isOpen(file: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => linkOf(`/proc/self/fd/${fd}`) === file)
}

function linkOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
