// Tests malicious and meaningless queries: they are taken literally or rejected, always with JSON, never with a server
// error.
import { describe, expect, test } from 'vitest'
import { sendRaw } from './running-server.ts'
import { serveSample } from './sample-server.ts'

const server = serveSample()

describe('a query is taken literally with', () => {
  test.each([
    'spec[dial_color]=%25',
    'spec[dial_color]=B%25ck',
    'spec[dial_color]=Bl_ck',
    'spec[dial_color]=Black%00',
    'spec[dial_color]=%00',
    'spec[dial_color%00]=Black',
    'spec[dial_color]=.*',
    'spec[dial_color]=%5EBlack%24',
    'spec[dial_color]=(B%7CW)*',
    "spec[dial_color]=Black'%20OR%20'1'%3D'1",
    'spec[dial_color]=Black%22%20OR%201%3D1--',
    'spec[dial_color]=Black%5C',
    'spec[dial_color]=Bl*',
    'spec[dial_color]=%24ne',
    'spec[$where]=1',
    "spec[dial_color')%20OR%20('1]=1",
    'spec[__proto__]=1',
    'spec[__proto__][not]=1',
    'spec[constructor]=Object',
    'spec[toString][exists]=true',
    'spec[hasOwnProperty]=1',
    'brand=%25',
    'brand=Role_',
    'collection=%25Oak%25',
    'reference_number=%25',
    'reference_number=1910_2',
  ])('%s', async (query) => {
    const response = await ask(`/watches?${query}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data: [], meta: { total: 0 } })
  })

  test.each(['roy.l', 'roy%25l', 'roy*l', 'roy_l'])('signs that only separate words: q=%s', async (q) => {
    const [signs, space] = [await ask(`/watches?q=${q}`), await ask('/watches?q=roy%20l')]
    expect(await signs.json()).toEqual(await space.json())
  })

  test('a no-break space, and a character of four bytes', async () => {
    // NFKC turns a full-width letter and a no-break space into plain ones; an emoji counts as one of 512 characters.
    const wide = await (await ask('/watches?spec[dial_color]=%EF%BC%AE%EF%BD%81vy%C2%A0blue')).json()
    const plain = await (await ask('/watches?spec[dial_color]=Navy%20blue')).json()
    expect(wide).toEqual(plain)
    const emoji = encodeURIComponent('⌚'.repeat(512))
    expect((await ask(`/watches?spec[a]=${emoji}`)).status).toBe(200)
  })

  test('a thousand unknown parameters, in a response whose headers fetch accepts', async () => {
    const response = await ask(`/watches?${'utm=1&'.repeat(999)}per_page=1`)
    expect([response.status, ((await response.json()) as { data: object[] }).data.length]).toEqual([200, 1])
  })
})

test('every byte in a query gets a JSON response, and never a server error', async () => {
  for (let byte = 1; byte < 256; byte++) {
    if ('\r\n'.includes(String.fromCharCode(byte))) continue
    for (const name of ['x=', 'spec[k]=', 'spec[']) {
      const head = Buffer.from(`GET /api/v1/watches?per_page=1&${name}a`)
      const tail = Buffer.from(
        `b HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${server.demoKey}\r\n\r\n`,
      )
      const answer = await sendRaw(port(), Buffer.concat([head, Buffer.from([byte]), tail]))
      const [top = '', body = ''] = answer.split('\r\n\r\n')
      expect([byte, top.split('\r\n')[0]]).toEqual([
        byte,
        expect.stringMatching(/^HTTP\/1\.1 (200|400|422) /),
      ])
      expect(() => JSON.parse(body)).not.toThrow()
      // No input may end the header that repeats it.
      const [link] = /^link: .*$/im.exec(top) ?? []
      if (link !== undefined)
        expect([byte, link]).toEqual([byte, expect.stringMatching(/^link: (<[^<>]*>; rel="\w+"(, )?)+$/i)])
    }
  }
})

function port(): number {
  return Number(new URL(server.baseUrl).port)
}

function ask(path: string): Promise<Response> {
  return server.get(`/api/v1${path}`)
}
