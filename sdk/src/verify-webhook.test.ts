// Tests the verification of events against the service's own signatures, and what it says of wrong ones.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../src/webhooks/sign.ts'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'

const secret = `whsec_${randomBytes(32).toString('base64')}`
const older = `whsec_${randomBytes(32).toString('base64')}`
const body =
  '{"type":"webhook.test","timestamp":"2026-03-01T12:00:00.000Z","data":{"webhook_id":1,"message":"⌚"}}'
const now = new Date('2026-03-01T12:00:00Z')
const signed = (text = body, secrets = [secret]) => signatureHeaders('msg_1', now, text, secrets)

const refusal = async (...args: Parameters<typeof verifyWebhook>) => {
  const error = await verifyWebhook(...args).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(WebhookVerificationError)
  return (error as Error).message
}

describe('an event of the service', () => {
  test('is accepted and parsed, as text and as bytes', async () => {
    const event = JSON.parse(body)
    expect(await verifyWebhook(body, signed(), secret, { now })).toEqual(event)
    expect(await verifyWebhook(Buffer.from(body), signed(), secret, { now })).toEqual(event)
  })

  test('is accepted with headers as any server has them', async () => {
    const headers = signed()
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    for (const given of [new Headers(headers), upper, lists]) {
      expect(await verifyWebhook(body, given, secret, { now })).toHaveProperty('type', 'webhook.test')
    }
  })

  test('is accepted while its secret is replaced, whichever of the two the receiver has', async () => {
    const headers = signed(body, [secret, older])
    for (const known of [secret, older, [older, secret], [secret]]) {
      expect(await verifyWebhook(body, headers, known, { now })).toHaveProperty('type', 'webhook.test')
    }
    expect(await verifyWebhook(body, signed(body, [older]), [secret, older], { now })).toHaveProperty('type')
  })
})

describe('an event is refused, and told why', () => {
  test('if any byte of its body has changed', async () => {
    const cut = fc.integer({ min: 0, max: body.length - 1 })
    await fc.assert(
      fc.asyncProperty(cut, async (at) => {
        const changed = `${body.slice(0, at)}~${body.slice(at + 1)}`
        expect(await refusal(changed, signed(), secret, { now })).toContain('No signature matches')
      }),
      { numRuns: 50 },
    )
  })

  test('if it was signed with another secret, or not with this version', async () => {
    expect(await refusal(body, signed(body, [older]), secret, { now })).toContain('another secret')
    const headers = { ...signed(), 'webhook-signature': 'v2,abcd v1,??? v1' }
    expect(await refusal(body, headers, secret, { now })).toContain('No signature matches')
  })

  test('if id or time are not the signed ones', async () => {
    expect(await refusal(body, { ...signed(), 'webhook-id': 'msg_2' }, secret, { now })).toContain(
      'No signature',
    )
    const later = { ...signed(), 'webhook-timestamp': String(now.getTime() / 1_000 + 1) }
    expect(await refusal(body, later, secret, { now })).toContain('No signature')
  })

  test('if it is older or newer than tolerated', async () => {
    const at = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
    expect(await refusal(body, signed(), secret, { now: at(301) })).toContain(
      '301 seconds ago; 300 are tolerated',
    )
    expect(await refusal(body, signed(), secret, { now: at(-400) })).toContain('400 seconds in the future')
    expect(await verifyWebhook(body, signed(), secret, { now: at(300) })).toHaveProperty('type')
    expect(
      await verifyWebhook(body, signed(), secret, { now: at(900), toleranceSeconds: 1_000 }),
    ).toBeDefined()
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'if it lacks the header %s',
    async (name) => {
      const { [name]: _, ...others } = signed()
      expect(await refusal(body, others, secret, { now })).toBe(`The header ${name} is missing`)
    },
  )

  test('if its time is none', async () => {
    const headers = { ...signed(), 'webhook-timestamp': 'today' }
    expect(await refusal(body, headers, secret, { now })).toContain('webhook-timestamp is not a number')
  })
})

test('mistakes of the program are not mistaken for forged events', async () => {
  const parsed = JSON.parse(body)
  await expect(verifyWebhook(parsed, signed(), secret, { now })).rejects.toThrow(
    'not what was parsed of them',
  )
  for (const none of ['', [], 'whsec_', 'secret', undefined as unknown as string]) {
    await expect(verifyWebhook(body, signed(), none, { now })).rejects.toThrow(TypeError)
  }
})
