import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { DeliveryDetails } from '../../../account-api.ts'
import { signCommand, signedString, timestampOf } from './delivery-signature.ts'

const secret = `whsec_${btoa('\u0000thirty-two bytes, some of them o')}`
const attempt = { at: '2026-03-01T12:00:00.987Z' }
const body = `{"type":"watch.updated","data":{"watch":{"brand":"A. Lange & Söhne","note":"it's $HOME \\"new\\" \\\\"}}}`
const details: Pick<DeliveryDetails, 'event' | 'request'> = {
  event: { id: 'evt_42', type: 'watch.updated', timestamp: attempt.at, sequence: 42 },
  request: { url: 'https://example.com/events', headers: {}, body },
}

describe('what was signed', () => {
  test('has the time of the attempt in whole seconds, as it was sent', () => {
    expect(timestampOf(attempt)).toBe('1772366400')
    expect(signedString(details, attempt)).toBe(`evt_42.1772366400.${body}`)
  })

  test('makes, by the command beside it, the signature that the library makes', async () => {
    // By a name that is not looked up: browser code is checked without the types of Node.
    const { execFileSync } = await import('node:child_process' as string)
    const command = signCommand(signedString(details, attempt))
    const made = execFileSync('sh', ['-c', `WEBHOOK_SECRET=${secret}\n${command}`], { encoding: 'utf8' })
    expect(made.trim()).toBe(new Webhook(secret).sign('evt_42', new Date(attempt.at), body))
  })
})
