import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textChunks } from './text-chunks.ts'

async function decode(chunks: Iterable<Buffer>, encoding?: string): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of textChunks(toAsync(chunks), 'x.csv', encoding)) parts.push(part)
  return Buffer.concat(parts).toString()
}

async function* toAsync(chunks: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

function pieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}

function bigEndian(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16()
}

describe('text', () => {
  test('is the same in every encoding, however small the chunks', async () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 4, max: 9 }), async (value, size) => {
        const utf16 = Buffer.from(`\uFEFF${value}`, 'utf16le')
        expect(await decode(pieces(Buffer.from(value), size))).toBe(value)
        expect(await decode(pieces(Buffer.from(`\uFEFF${value}`), size))).toBe(value)
        expect(await decode(pieces(utf16, size))).toBe(value)
        expect(await decode(pieces(bigEndian(utf16), size))).toBe(value)
        expect(await decode(pieces(utf16.subarray(2), size), 'utf-16le')).toBe(value)
      }),
      { numRuns: 150 },
    )
  })

  test('in UTF-8 may come byte by byte', async () => {
    expect(await decode(pieces(Buffer.from('Panthère 漢 😀'), 1))).toBe('Panthère 漢 😀')
  })

  test('is decoded in the encoding that is given', async () => {
    expect(await decode([Buffer.from('Panth\xe8re \x80 100', 'latin1')], 'windows-1252')).toBe(
      'Panthère € 100',
    )
    expect(await decode([Buffer.from('8e9e8c76', 'hex')], 'shift_jis')).toBe('時計')
  })

  test('with a byte order mark is decoded by the mark', async () => {
    expect(await decode([Buffer.from('\uFEFFPanthère')], 'windows-1252')).toBe('Panthère')
  })
})

test('text in another encoding is decoded if its letters leave no doubt, and the encoding is told', async () => {
  const text = 'Marke,Größe\nGlashütte,große\nA. Lange & Söhne,für\n'
  const told: string[] = []
  const parts: Buffer[] = []
  const chunks = textChunks(toAsync([Buffer.from(text, 'latin1')]), 'x.csv', undefined, (label) =>
    told.push(label),
  )
  for await (const part of chunks) parts.push(part)
  expect([Buffer.concat(parts).toString(), told]).toEqual([text, ['windows-1252']])
})

describe('text is rejected', () => {
  const lines = Buffer.from('a,b\n1,2\n'.repeat(1_000))

  test('when it is not UTF-8, with the line and what to try', async () => {
    const bytes = Buffer.concat([lines, Buffer.from('3,Panth\xe8re\n4,5\n', 'latin1')])
    const refusal = 'x.csv:2001: this is not UTF-8: try --encoding windows-1252.'
    for (const size of [bytes.length, 1_000, 7])
      await expect(decode(pieces(bytes, size))).rejects.toThrow(refusal)
  })

  test('when only some lines are UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('a\nSöhne\nGrün\n'), Buffer.from('Grün\n', 'latin1')])
    await expect(decode([bytes])).rejects.toThrow(
      'x.csv:4: this line is not UTF-8, as others are: mend it, or save the file as UTF-8.',
    )
  })

  test('when it is UTF-16 without a mark and beyond ASCII', async () => {
    await expect(decode([Buffer.from('a,Grün\n1,weiß\n', 'utf16le')])).rejects.toThrow(
      'try --encoding utf-16le',
    )
  })

  test('when several encodings fit', async () => {
    const bytes = Buffer.from('a,ro\xe8na\n1,rde\xe8a\n2,mo\xe8\n3,ve\xe8ja\n4,teko\xe8\n', 'latin1')
    await expect(decode([bytes])).rejects.toThrow('try --encoding windows-1252 or windows-1250.')
  })

  test('when its last character is cut', async () => {
    await expect(decode([Buffer.from('a\nè').subarray(0, 3)])).rejects.toThrow('x.csv:2: this is not UTF-8')
  })

  test('when it has a zero byte, with the line', async () => {
    const bytes = Buffer.concat([lines, Buffer.from('3,\0\n')])
    await expect(decode(pieces(bytes, 1_000))).rejects.toThrow('x.csv:2001: there is a zero byte')
  })

  test('when it is UTF-16 without a mark, with what to try', async () => {
    await expect(decode([Buffer.from('a,b\n', 'utf16le')])).rejects.toThrow('try --encoding utf-16le')
  })

  test('when it is UTF-32', async () => {
    await expect(decode([Buffer.from('fffe000061000000', 'hex')])).rejects.toThrow(
      'x.csv is in UTF-32: save it as UTF-8.',
    )
  })

  test('when there is no such encoding', async () => {
    await expect(decode([lines], 'latin-15')).rejects.toThrow('There is no encoding latin-15: use utf-8,')
  })

  test('when half a character of UTF-16 is missing', async () => {
    const bytes = Buffer.from('fffe610000d80a00', 'hex')
    await expect(decode([bytes])).rejects.toThrow('x.csv:1: this is not utf-16le: try another --encoding.')
  })
})
