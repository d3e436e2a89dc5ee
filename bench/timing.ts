// `npm run bench -- timing`: checks that response times do not reveal whether an email is known, or whether a key is
// revoked or unknown. Sends both kinds of request alternately, and reports the ratio of their medians and how often the
// known one takes longer: 50 % when the two cannot be distinguished.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createAccount } from '../src/access/accounts/accounts.ts'
import { generateKey } from '../src/access/keys/api-key.ts'
import { createKey, findCaller, revokeKey } from '../src/access/keys/keys.ts'
import { Passwords } from '../src/access/sign-in/passwords.ts'
import { systemClock } from '../src/clock.ts'
import { parseConfig } from '../src/config.ts'
import { openLog } from '../src/log.ts'
import { openDatabase } from '../src/storage/open-database.ts'
import { medianOf } from './measure/load.ts'
import { type Figure, printReport } from './measure/report.ts'
import { startServing } from './measure/serving-process.ts'

const password = 'a long enough password'
const pairs = 200
const ratioMax = 1.1
const ignored = 20

interface Asked {
  readonly name: string
  /** Sends the request for a known or an unknown caller; `number` selects the caller. */
  readonly ask: (isKnown: boolean, number: number) => Promise<Response>
}

export async function benchTiming(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'watchdata-timing-'))
  process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  // Every pair uses its own client address; otherwise the limit of sign-in attempts would refuse the requests.
  const serving = await startServing(dataDir, { core: 'any', env: { TRUST_PROXY: '127.0.0.1' } })
  try {
    const revoked = await fill(dataDir)
    const figures: Figure[] = []
    for (const asked of questions(serving.url, revoked)) figures.push(await compare(asked))
    if (!printReport(figures, [])) process.exitCode = 1
  } finally {
    await serving.process.stop()
  }
}

/** Creates an account with a password and a revoked key for every pair; returns the revoked keys. */
async function fill(dataDir: string): Promise<string[]> {
  const config = parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  const hashed = await new Passwords().hash(password)
  const revoked: string[] = []
  for (let number = 0; number < pairs + ignored; number++) {
    const key = await database.write(async (tx) => {
      const draft = { email: emailOf(true, number), name: 'Known', plan: 'free' } as const
      const id = await createAccount(tx, systemClock, draft)
      const now = systemClock.now().toISOString()
      const credential = { account_id: id, provider: 'credential', subject: id, password: hashed }
      const row = { id: `credential-${number}`, ...credential, created_at: now, updated_at: now }
      await tx.insertInto('credentials').values(row).execute()
      const made = await createKey(tx, systemClock, id, 'first')
      const caller = await findCaller({ reader: tx, engine: database.engine }, systemClock, made)
      await revokeKey(tx, systemClock, id, caller?.keyId ?? '')
      return made
    })
    revoked.push(key)
  }
  await database.close()
  return revoked
}

function questions(url: string, revoked: readonly string[]): Asked[] {
  // Generated in advance, because generating a key takes time.
  const unknown = revoked.map(() => generateKey())
  const post = (form: string, address: number, body: object) =>
    fetch(`${url}/api/auth${form}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(address) },
      body: JSON.stringify(body),
    })
  return [
    {
      name: 'sign-in with a wrong password: known / unknown e-mail',
      ask: (isKnown, number) =>
        post('/sign-in/email', number, { email: emailOf(isKnown, number), password: 'another password' }),
    },
    {
      name: 'password reset request: known / unknown e-mail',
      ask: (isKnown, number) => post('/request-password-reset', number, { email: emailOf(isKnown, number) }),
    },
    {
      name: 'a request with a key: revoked / unknown',
      ask: (isKnown, number) =>
        fetch(`${url}/api/v1/watches`, {
          headers: { authorization: `Bearer ${(isKnown ? revoked : unknown)[number]}` },
        }),
    },
  ]
}

async function compare({ name, ask }: Asked): Promise<Figure> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const answers = new Set<string>()
  for (let number = 0; number < pairs + ignored; number++) {
    // Random order: otherwise the second request would always profit from caches that the first one warmed.
    const order = Math.random() < 0.5 ? [true, false] : [false, true]
    for (const isKnown of order) {
      const startedMs = performance.now()
      const response = await ask(isKnown, number)
      const body = await response.text()
      const tookMs = performance.now() - startedMs
      answers.add(`${response.status} ${body}`)
      if (number >= ignored) times[isKnown ? 'known' : 'unknown'].push(tookMs)
    }
  }
  if (answers.size !== 1) throw new Error(`${name}: the responses differ: ${[...answers].join(' | ')}`)
  const ratio = medianOf(times.known) / medianOf(times.unknown)
  const longer = times.known.flatMap((known) => times.unknown.map((unknown) => (known > unknown ? 1 : 0)))
  const share = longer.reduce<number>((sum, one) => sum + one, 0) / longer.length
  return {
    name,
    measured: ratio.toFixed(2),
    target: `${(1 / ratioMax).toFixed(2)}…${ratioMax}`,
    isMet: ratio <= ratioMax && ratio >= 1 / ratioMax,
    details: `${(share * 100).toFixed(0)} % of known take longer than unknown; medians ${medianOf(times.known).toFixed(2)} and ${medianOf(times.unknown).toFixed(2)} ms`,
  }
}

function emailOf(isKnown: boolean, number: number): string {
  return `${isKnown ? 'known' : 'other'}-${number}@example.com`
}

function addressOf(number: number): string {
  return `10.0.${number >> 8}.${number & 255}`
}
