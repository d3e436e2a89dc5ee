import { expect, test } from 'vitest'
import { generateKey } from './access/keys/api-key.ts'
import { parseConfig } from './config.ts'
import { openLog } from './log.ts'

const key = generateKey()
const secrets = [key, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'hunter2-password', 'session-cookie-value']
const [apiKey, webhookSecret, password, cookie] = secrets

async function logged(fields: object, message = 'something'): Promise<string> {
  let lines = ''
  const log = openLog(parseConfig({ LOG_LEVEL: 'trace' }), {
    write(line) {
      lines += line
    },
  })
  log.info(fields, message)
  return lines
}

test('secrets in known fields are not logged, at any usual depth', async () => {
  const line = await logged({
    password,
    req: { headers: { authorization: `Bearer ${apiKey}`, cookie, 'set-cookie': cookie } },
    body: { password, secret: webhookSecret },
    account: { login: { password } },
  })
  for (const secret of secrets) expect(line).not.toContain(secret)
})

test('secrets in texts, URLs and stacks are not logged', async () => {
  const error = new Error(`connect failed for postgres://watch:${password}@db:5432/watches with ${apiKey}`)
  const line = await logged(
    { err: error, url: `/api/v1/watches?key=${apiKey}`, note: `Authorization: Bearer ${cookie}` },
    `rotated ${webhookSecret}`,
  )
  for (const secret of secrets) expect(line).not.toContain(secret)
  expect(line).toContain('postgres://watch:[hidden]@db:5432/watches')
})

test('whatever a secret field is called and however deep it lies, its value is not logged', async () => {
  const line = await logged({
    err: Object.assign(new Error('request failed'), {
      config: { headers: { authorization: `Basic ${cookie}` } },
    }),
    a: { b: { c: { d: { newPassword: password } } } },
    list: [{ clientSecret: webhookSecret }, { 'x-api-key': cookie }, { password_hash: password }],
    session: cookie,
  })
  for (const secret of secrets) expect(line).not.toContain(secret)
  expect(line).toContain('request failed')
})

test.each([
  ['a query', `/reset?token=${cookie}&password=${password}&page=2`, 'page=2'],
  [
    'a query of other names',
    `/x?access_token=${cookie}&client_secret=${password}&x-api-key=${cookie}&page=2`,
    'page=2',
  ],
  ['a form', `password=${password} page=2`, 'page=2'],
  ['JSON with an escaped quote', JSON.stringify({ access_token: `a"${password}`, brand: 'Omega' }), 'Omega'],
  ['a quoted bearer', `Bearer "${cookie}" page=2`, 'page=2'],
  ['a header line', `sent Authorization: Basic ${cookie} and Cookie: sid=${password}`, 'sent'],
  ['JSON in a text', JSON.stringify({ password, brand: 'Omega' }), 'Omega'],
  ['a URL whose password has an @', `postgres://watch:${password}@home@db/watches`, '@db/watches'],
])('a secret in %s is not logged, but the text around it is', async (_where, text, around) => {
  const line = await logged({ url: text }, text)
  for (const secret of secrets) expect(line).not.toContain(secret)
  expect(line).not.toContain('home')
  expect(line).toContain(around)
})

test('a logged field can have any value', async () => {
  const cycle: Record<string, unknown> = {
    at: new Date('2026-03-01T12:00:00Z'),
    big: 10n,
    bytes: Buffer.from('x'),
  }
  cycle.self = cycle
  const line = await logged({
    cycle,
    nothing: null,
    list: [[cycle]],
    err: new Error('why', { cause: new Error('because') }),
  })
  expect(JSON.parse(line)).toMatchObject({ cycle: { at: '2026-03-01T12:00:00.000Z' }, nothing: null })
  expect(line).toContain('because')
})

test('no value can make logging fail or take long', async () => {
  const loop: unknown[] = []
  loop.push(loop)
  const wide: Record<string, unknown> = {}
  for (let level = 0, at = wide; level < 8; level++) {
    const next = {}
    for (let name = 0; name < 8; name++) at[`n${name}`] = next
    at = next
  }
  const throwing = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => {
      throw new Error('no')
    },
  })
  for (const value of [
    loop,
    wide,
    throwing,
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no')
        },
      },
    ),
  ]) {
    const line = await logged({ value }, 'still logged')
    expect(JSON.parse(line)).toMatchObject({ msg: 'still logged' })
    expect(line.length).toBeLessThan(1_000_000)
  }
})

test('secrets in instances, header pairs, buffers and bindings are not logged', async () => {
  class Options {
    accessToken = cookie
  }
  let line = ''
  const log = openLog(parseConfig({}), {
    write: (text) => {
      line += text
    },
  })
  log.child({ options: { cookie } }).info({
    options: new Options(),
    rawHeaders: ['Host', 'a', 'Cookie', cookie],
    body: Buffer.from(String(password)),
  })
  for (const secret of secrets) expect(line).not.toContain(secret)
  expect(line).toContain('"Host","a"')
})

test('an error keeps its class', async () => {
  expect(JSON.parse(await logged({ err: new TypeError('no') })).err).toMatchObject({
    type: 'TypeError',
    message: 'no',
  })
})

test('a log line is one JSON object with level, time and message', async () => {
  const line = await logged({ watches: 3 }, 'ready')
  expect(JSON.parse(line)).toMatchObject({ level: 'info', msg: 'ready', watches: 3 })
  expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
})
