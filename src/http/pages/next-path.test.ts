import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseNext } from './next-path.ts'

describe('the next path after sign-in', () => {
  test.each([
    ['/'],
    ['/dashboard'],
    ['/dashboard?welcome'],
    ['/dashboard/keys?a=b&c=%2F%2Fd#top'],
    ['/docs/filters#units'],
    ['/explore/watches/12'],
    ['/explore?q=%3Cscript%3E&next=https://evil.example'],
    ['/status'],
  ])('%s is accepted', (next) => {
    expect(parseNext(next)).toBe(next)
  })

  test.each([
    [undefined],
    [null],
    [''],
    ['dashboard'],
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\\/evil.example'],
    ['/dashboard\\..\\..\\evil.example'],
    ['https://evil.example'],
    ['https:evil.example'],
    ['https:/evil.example/dashboard'],
    ['http://next.invalid/dashboard'],
    ['//next.invalid/dashboard'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['/%2f/evil.example'],
    ['/%2fevil.example'],
    ['/%5cevil.example'],
    ['/.//evil.example'],
    ['/..//evil.example'],
    ['/dashboard/..//evil.example'],
    ['/dashboard/%2e%2e//evil.example'],
    ['/dashboard/.%2E/.%2e//evil.example'],
    ['/\t/evil.example'],
    ['/\n/evil.example'],
    ['/dashboard\r\nset-cookie: a=b'],
    ['/dashboard\0'],
    ['/dashboard\u007f'],
    [' /dashboard'],
    ['\t//evil.example'],
    ['/dashboard //evil.example'],
    ['@evil.example'],
    ['/@evil.example'],
    ['/dashboard@evil.example'],
    ['/dashboard.evil.example'],
    ['user:secret@evil.example'],
    ['／／evil.example'],
    ['/／evil.example'],
    ['/\u2215evil.example'],
    ['/dashboard/\u202eevil'],
    ['/dashboard/é'],
    ['/sign-out'],
    ['/dashboard/../sign-out'],
    ['/dashboard/%2e%2e/sign-out'],
    ['/docs/../api/auth/verify-email?token=x'],
    ['/sign-in?next=/sign-in'],
    ['/sign-in/code'],
    ['/setup?token=x'],
    ['/reset-password?token=x'],
    ['/api/account'],
    ['/assets/x.js'],
    ['/DASHBOARD'],
    [`/dashboard?${'x'.repeat(2_048)}`],
  ])('%j is rejected', (next) => {
    expect(parseNext(next)).toBeUndefined()
  })

  test('stays on the origin for any input, and parses to itself', () => {
    const piece = fc.constantFrom(
      ...[
        '/',
        '\\',
        '.',
        '..',
        '%2f',
        '%5c',
        '%2e',
        ':',
        '@',
        '?',
        '#',
        '\t',
        '\n',
        ' ',
        'https:',
        'dashboard',
      ],
      ...['docs', 'evil.example', 'é', '\u3002', '&', '=', '\u0000', 'sign-out'],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const next = parseNext(`/${pieces.join('')}`)
        if (next === undefined) return
        const { origin, pathname } = new URL(next, 'https://home.example')
        expect(origin).toBe('https://home.example')
        expect(pathname).toMatch(/^\/$|^\/(dashboard|docs|explore|status)(\/|$)/)
        expect(parseNext(next)).toBe(next)
      }),
      { numRuns: 5_000 },
    )
  })
})
