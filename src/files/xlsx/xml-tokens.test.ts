import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/depth.ts'
import { BadXml, XmlTokens } from './xml-tokens.ts'

/** The tokens as text: `+name(x)` opens with the attribute `a`, `-name` closes. Texts side by side are joined. */
function tokensOf(xml: string | Buffer, sizes: readonly number[] = []): string[] {
  const found: string[] = []
  const tokens = new XmlTokens({
    open: (name, attributes) => void found.push(`+${name}(${attributes.get('a') ?? ''})`),
    text: (text) => void found.push(text),
    close: (name) => void found.push(`-${name}`),
  })
  const bytes = Buffer.from(xml as Buffer)
  let at = 0
  for (const size of sizes) {
    tokens.read(bytes.subarray(at, at + size))
    at += size
  }
  tokens.read(bytes.subarray(at))
  tokens.end()
  return found
}

const all =
  '\ufeff<?xml version="1.0"?><!-- <x> --><w:t xmlns:w="u" a=\'1>2\'>é&amp;&#233;&#x1F600;<c w:a = "x&lt;" b="y"/>' +
  '<![CDATA[<&]]]]>\n<v \n>1</v\n><!----><e/></w:t>\n'

test('XML is split into tags and text', () => {
  expect(tokensOf(all)).toEqual([
    '+t(1>2)',
    'é&é😀',
    '+c(x<)',
    '-c',
    '<&]]',
    '\n',
    '+v()',
    '1',
    '-v',
    '+e()',
    '-e',
    '-t',
  ])
})

test('wherever the bytes are cut', () => {
  const whole = tokensOf(all)
  fc.assert(
    fc.property(fc.array(fc.nat(12), { maxLength: 60 }), (sizes) => {
      expect(tokensOf(all, sizes)).toEqual(whole)
    }),
    { numRuns: runs(100, 2_000) },
  )
})

describe('refused is', () => {
  test.each([
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', 'document type'],
    ['an entity that nobody defines', '<x>&lol;</x>', 'entity'],
    ['a character that does not exist', '<x>&#x110000;</x>', 'character'],
    ['a tag that is not closed', '<x><y</x>', 'not closed'],
    ['tags that do not match', '<x><y></x></y>', 'do not match'],
    ['an attribute without quotes', '<x a=1/>', 'quotes'],
    ['an end that comes too early', '<x><y>', 'ends too early'],
    ['a part without a tag', ' ', 'ends too early'],
    ['what is not UTF-8', Buffer.from('<x>\xff</x>', 'latin1'), 'UTF-8'],
    ['a text without end', `<x>${'y'.repeat(2_000_000)}`, 'too long'],
    ['a tag without end', `<x a="${'y'.repeat(2_000_000)}`, 'too long'],
    ['a tag with too many attributes', `<x${' a="b"'.repeat(1_000)}/>`, 'too many'],
    ['too deep nesting', '<x>'.repeat(1_000), 'too deeply'],
  ])('%s', (_, xml, reason) => {
    expect(() => tokensOf(xml)).toThrow(BadXml)
    expect(() => tokensOf(xml)).toThrow(reason)
  })
})
