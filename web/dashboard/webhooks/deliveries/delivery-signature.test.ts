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

describe('the signed string', () => {
  test('has the time of the attempt in whole seconds, as sent', () => {
    expect(timestampOf(attempt)).toBe('1772366400')
    expect(signedString(details, attempt)).toBe(`evt_42.1772366400.${body}`)
  })

  test('gives, with the shown command, the same signature as the library', async () => {
    // `as string` hides the module from the type checker: browser code is checked without Node's types.
    const { execFileSync } = await import('node:child_process' as string)
    const command = signCommand(signedString(details, attempt))
    const made = execFileSync('sh', ['-c', `WEBHOOK_SECRET=${secret}\n${command}`], { encoding: 'utf8' })
    expect(made.trim()).toBe(new Webhook(secret).sign('evt_42', new Date(attempt.at), body))
  })
})
