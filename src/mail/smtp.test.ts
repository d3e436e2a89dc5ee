import { expect, test } from 'vitest'
import { findFreePort } from '../../test/programs/free-port.ts'
import { openSmtpSink } from '../../test/sign-in/smtp-sink.ts'
import { openSmtp } from './smtp.ts'

const message = {
  to: 'ada@example.org',
  subject: 'Choose a new password',
  text: `Open this:\n\nhttp://127.0.0.1:8080/reset-password?token=${'x'.repeat(90)}\n\nGrüße\n`,
}

test('an email reaches the mail server complete', async () => {
  const sink = await openSmtpSink()
  await openSmtp(sink.url, 'watchdata@example.org').send(message)
  expect(sink.emails).toEqual([message])
})

test('many concurrent emails use a few connections, which are closed after the last email', async () => {
  const sink = await openSmtpSink()
  const mail = openSmtp(sink.url, 'watchdata@example.org')
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => mail.send({ ...message, to: `a${at}@example.org` })),
  )
  expect(new Set(sink.emails.map(({ to }) => to)).size).toBe(20)
  expect(sink.connectionsMost()).toBeLessThanOrEqual(3)
  await expect.poll(sink.connections).toBe(0)
  await mail.send(message)
  expect(sink.emails).toHaveLength(21)
})

test('an address cannot inject another recipient', async () => {
  const sink = await openSmtpSink()
  const mail = openSmtp(sink.url, 'watchdata@example.org')
  await mail.send({ ...message, to: 'a@example.org\r\nRCPT TO:<b@example.org>' }).catch(() => {})
  expect(sink.emails.map(({ to }) => to)).not.toContain('b@example.org')
})

test('an unreachable mail server is an error, and the next email connects again', async () => {
  const mail = openSmtp(`smtp://127.0.0.1:${await findFreePort()}`, 'watchdata@example.org')
  await expect(mail.send(message)).rejects.toThrow('ECONNREFUSED')
  await expect(mail.send(message)).rejects.toThrow('ECONNREFUSED')
})
