import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../../test/any-code-point.ts'
import { Problem } from '../../errors.ts'
import { parametersMax, splitQuery, undecodableMax } from './query-string.ts'

const split = (written: string) => splitQuery(written, ['spec', 'q', 'page'])
const readable = { fault: undefined }
const anyText = fc.string({ unit: anyCodePoint, maxLength: 40 }).map((text) => text.toWellFormed())

test('parameters keep their order, a missing = is an empty value, the first = ends the name', () => {
  expect(split('q=a=b&page&&q=&spec[x]=1&')).toEqual([
    { name: 'q', path: [], value: 'a=b', ...readable },
    { name: 'page', path: [], value: '', ...readable },
    { name: 'q', path: [], value: '', ...readable },
    { name: 'spec', path: ['x'], value: '1', ...readable },
  ])
})

test('a plus is a space, an encoded plus is a plus', () => {
  expect(split('spec[a+b]=c+d%2Be')).toEqual([{ name: 'spec', path: ['a b'], value: 'c d+e', ...readable }])
})

test('only the given names are returned, compared after decoding', () => {
  expect(split('brand=x&%71=y&Q=z&foo[bar]=1&foo[=1')).toEqual([
    { name: 'q', path: [], value: 'y', ...readable },
  ])
})

test.each([
  ['spec[a]', ['a']],
  ['spec[a][]', ['a', '']],
  ['spec[a][not]', ['a', 'not']],
  ['spec[]', ['']],
  ['spec[a][b][c]', ['a', 'b', 'c']],
  ['spec[a][b][c][d]', ['a', 'b', 'c']],
  ['spec[a%5D%5Bb]', ['a][b']],
  ['spec[a%5Bb%5D][not]', ['a[b]', 'not']],
  ['s%70ec[a]', ['a']],
  ['spec%5Ba%5D', ['a']],
  ['spec%5ba%5d', ['a']],
  ['spec%5Ba]', ['a']],
  ['spec%5Ba%5D%5Bnot%5D', ['a', 'not']],
  ['spec%5Ba%5D%5B%5D', ['a', '']],
  ['spec%5Ba%5Bb%5D%5D', ['a[b]']],
  ['spec%5B%5D%5D', [']']],
  ['spec%5B%5B%5D', ['[']],
])('the brackets of %s hold %j', (name, path) => {
  expect(split(`${name}=v`)).toEqual([{ name: 'spec', path, value: 'v', ...readable }])
})

test.each([
  'spec[',
  'spec]',
  'spec[a',
  'spec]a[',
  'spec]a[b]',
  'spec[a]b',
  'spec[a]b[c]',
  'spec[a][b',
  'spec[a[b]]',
  'spec[a]]',
  'spec[[a]',
  'spec[a%5D',
  'spec[a=b]',
  'spec%5D',
  'spec%5Ba',
  'spec%5Da%5B',
  'spec%5Ba%5Db',
])('the brackets of %s cannot be parsed, its name can', (name) => {
  const [parameter] = split(`${name}=v`)
  expect(parameter).toMatchObject({ name: 'spec', path: [], fault: 'brackets' })
})

test.each([
  ['a lone percent', '%'],
  ['half an escape', '%4'],
  ['no hexadecimal', '%ZZ'],
  ['an overlong slash', '%C0%AF'],
  ['an overlong NUL', '%E0%80%80'],
  ['a lone continuation', '%80'],
  ['a cut sequence', '%E2%82'],
  ['no byte of UTF-8', '%FF'],
  ['an encoded high surrogate', '%ED%A0%80'],
  ['an encoded pair of surrogates', '%ED%A0%BD%ED%B8%80'],
  ['a code point past the last', '%F4%90%80%80'],
  ['a raw high surrogate', '\ud800'],
  ['a raw low surrogate beside an escape', '%20\udc00'],
])('%s is refused in name, key and value', (_, broken) => {
  expect(split(`q=${broken}`)).toEqual([{ name: 'q', path: [], value: '', fault: 'encoding' }])
  expect(split(`spec[a]=${broken}`)).toEqual([{ name: 'spec', path: ['a'], value: '', fault: 'encoding' }])
  expect(split(`spec[${broken}]=v`)).toEqual([{ name: 'spec', path: [], value: '', fault: 'encoding' }])
  expect(split(`spec%5B${broken}%5D=v`)).toEqual([{ name: 'spec', path: [], value: '', fault: 'encoding' }])
  expect(split(`${broken}[a]=v`)).toEqual([{ name: '', path: [], value: '', fault: 'encoding' }])
  expect(split(`${broken}=v`)).toEqual([{ name: '', path: [], value: '', fault: 'encoding' }])
  expect(split(`foo=${broken}`)).toEqual([{ name: 'foo', path: [], value: '', fault: 'encoding' }])
})

test('a broken parameter does not affect the others', () => {
  expect(
    split('q=a%20b&page=%ZZ&q=c&q=\ud800&spec[x]=%C3%BC').map(({ value, fault }) => [value, fault]),
  ).toEqual([
    ['a b', undefined],
    ['', 'encoding'],
    ['c', undefined],
    ['', 'encoding'],
    ['ü', undefined],
  ])
})

test('any encoded key and value decode to themselves, brackets and ampersands included', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (key, operator, value) => {
      const [a, b, c] = [key, operator, value].map(encodeURIComponent)
      expect(split(`page=1&spec[${a}][${b}]=${c}&q=x`)[1]).toEqual({
        name: 'spec',
        path: [key, operator],
        value,
        ...readable,
      })
    }),
  )
})

test('the query is parsed as URLSearchParams serialised it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('q', 'page', 'foo'), anyText)), (pairs) => {
      const written = new URLSearchParams(pairs).toString()
      const expected = pairs.filter(([name]) => name !== 'foo')
      expect(split(written).map(({ name, value }) => [name, value])).toEqual(expected)
    }),
  )
})

test(`${parametersMax} parameters are allowed, known or not; one more is refused`, () => {
  expect(split('q=%20&'.repeat(parametersMax))).toHaveLength(parametersMax)
  expect(split('x=1&'.repeat(parametersMax))).toEqual([])
  expect(split('&'.repeat(8_192))).toEqual([])
  const refused = new Problem('invalid', {
    errors: { query: ['The query must not have more than 1000 parameters.'] },
  })
  expect(() => split('x&'.repeat(parametersMax + 1))).toThrow(refused)
})

test(`parsing stops after ${undecodableMax} parameters that cannot be decoded`, () => {
  const broken = 'q=%FF&'.repeat(undecodableMax - 1)
  expect(
    split(`${broken}page=%FF&page=1&q=%FF`)
      .map(({ name }) => name)
      .slice(-2),
  ).toEqual(['q', 'page'])
  expect(split(`${broken}page=1&q=%FF`)).toHaveLength(undecodableMax + 1)
})
