// Tests that a network can create only a few accounts per day, with or without a mail server.
import { expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { openSmtpSink } from '../sign-in/smtp-sink.ts'
import { newEmail } from './page-server.ts'
import { Person } from './person.ts'
import { startSmallServer, type TestServer } from './running-server.ts'

const engine = createEngine()
/** The server's clock starts at noon, and the tests wait a minute because of the limit per minute. */
const secondsToMidnight = 12 * 3_600 - 60

async function expectRefusal({ baseUrl, wait }: TestServer): Promise<void> {
  const page = await new Person(baseUrl).signUp(newEmail())
  expect([page.status, page.title]).toEqual([429, 'Error: Sign up · watchdata'])
  expect(page.headers.get('retry-after')).toBe(String(secondsToMidnight))
  expect(page.text).toContain('You can sign up again at 00:00 UTC, in 11 h 59 min.')
  wait(secondsToMidnight * 1_000)
  expect((await new Person(baseUrl).signUp(newEmail())).status).not.toBe(429)
}

test('ten accounts per day and network can be created, and a rejected form counts for nothing', async () => {
  const server = await startSmallServer(engine)
  const taken = newEmail()
  const signUp = (email: string) => new Person(server.baseUrl).signUp(email)
  expect((await signUp(taken)).status).toBe(303)
  expect((await signUp(taken)).status).toBe(422)
  const others = await Promise.all(Array.from({ length: 8 }, () => signUp(newEmail())))
  expect(others.every(({ status }) => status === 303)).toBe(true)
  server.wait(60_000)
  expect((await signUp(newEmail())).status).toBe(303)
  await expectRefusal(server)
})

test('with a mail server every form counts, so that the limit does not reveal which emails are taken', async () => {
  const sink = await openSmtpSink()
  const server = await startSmallServer(engine, { SMTP_URL: sink.url })
  const emails = Array.from({ length: 5 }, () => newEmail()).flatMap((email) => [email, email])
  const pages = await Promise.all(emails.map((email) => new Person(server.baseUrl).signUp(email)))
  expect(pages.every(({ status }) => status === 200)).toBe(true)
  server.wait(60_000)
  await expectRefusal(server)
})
