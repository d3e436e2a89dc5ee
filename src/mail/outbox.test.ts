import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { manualClock } from '../../test/manual-clock.ts'
import { emailsKeptMax, openOutbox } from './outbox.ts'

const message = { to: 'ada@example.org', subject: 'Choose a new password', text: 'token=secret\n' }

async function openFresh() {
  const parent = await mkdtemp(path.join(tmpdir(), 'watchdata-test-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const lines: string[] = []
  const log = pino({}, { write: (line) => lines.push(line) })
  const directory = path.join(parent, 'data', 'outbox')
  return { directory, lines, mail: openOutbox(directory, 'w@localhost', manualClock(), log) }
}

test('an email is a file that only its owner may read, named by the time', async () => {
  const { directory, mail } = await openFresh()
  await mail.send(message)
  const [name = ''] = await readdir(directory)
  expect(name).toMatch(/^2026-03-01T120000\.000Z-[0-9a-f]{16}\.eml$/)
  expect((await stat(path.join(directory, name))).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
  const text = await readFile(path.join(directory, name), 'utf8')
  expect(text).toContain('To: ada@example.org\nSubject: Choose a new password\n')
  expect(text.endsWith('\n\ntoken=secret\n')).toBe(true)
})

test('the log has the path of an email, not its text', async () => {
  const { directory, lines, mail } = await openFresh()
  await mail.send(message)
  const [name = ''] = await readdir(directory)
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ to: message.to, file: path.join(directory, name) })
  expect(lines[0]).not.toContain('secret')
})

test('a subject of several lines stays one header', async () => {
  const { directory, mail } = await openFresh()
  await mail.send({ ...message, subject: 'Hello\r\nBcc: eve@example.org' })
  const [name = ''] = await readdir(directory)
  expect(await readFile(path.join(directory, name), 'utf8')).toContain(
    'Subject: Hello Bcc: eve@example.org\n',
  )
})

test('if there are too many emails, the oldest are removed', async () => {
  const { directory, mail } = await openFresh()
  await mail.send(message)
  const old = Array.from({ length: emailsKeptMax + 4 }, (_, at) => `2025-01-01T0000${1000 + at}-x.eml`)
  await Promise.all(old.map((name) => writeFile(path.join(directory, name), '')))
  await mail.send(message)
  const names = (await readdir(directory)).sort()
  expect(names).toHaveLength(emailsKeptMax)
  expect(names[0]).toBe(old[6])
  expect(names.filter((name) => name.startsWith('2026'))).toHaveLength(2)
})
