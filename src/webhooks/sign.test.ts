import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { anyCodePoint } from '../../test/any-code-point.ts'
import { signatureHeaders } from './sign.ts'

const secrets = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
const bodies = fc.oneof(fc.json(), fc.string({ unit: anyCodePoint, maxLength: 3_000 }))
const ids = fc.stringMatching(/^evt_[0-9a-f]{8}_\d{1,15}_[0-9a-z]{8}$/)
const times = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })

describe('signatureHeaders', () => {
  it('signs exactly as the Standard Webhooks library does, whatever the body, the id and the secret', () => {
    fc.assert(
      fc.property(
        ids,
        times,
        bodies,
        fc.array(secrets, { minLength: 1, maxLength: 3 }),
        (id, at, body, given) => {
          const signatures = given.map((secret) => new Webhook(secret).sign(id, at, body))
          expect(signatureHeaders(id, at, body, given)).toEqual({
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': signatures.join(' '),
          })
        },
      ),
    )
  })

  it('is accepted by the library with every one of its secrets, and with no other', () => {
    fc.assert(
      fc.property(
        ids,
        fc.json(),
        fc.uniqueArray(secrets, { minLength: 3, maxLength: 3 }),
        (id, body, given) => {
          const [fresh, old, other] = given as [string, string, string]
          const headers = signatureHeaders(id, new Date(), Buffer.from(body), [fresh, old])
          for (const secret of [fresh, old]) {
            expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
          }
          expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature found')
        },
      ),
    )
  })
})
