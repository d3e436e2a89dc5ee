// Runs the attacks of the drill for a moment each against a small catalogue: no bound is broken, and an honest caller is
// served. What others feel meanwhile is measured by the drill itself, on a quiet machine.
import { expect, test } from 'vitest'
import { sharePages } from '../api/page-server.ts'
import { createEngine } from '../databases/engines.ts'
import { attacks } from './abuse/attacks.ts'
import { letters } from './abuse/dear-requests.ts'
import { slowReaders } from './abuse/slow-clients.ts'
import { slowhttptestAttacks } from './abuse/slowhttptest.ts'

/** What an operator has who has set nothing, and the token with which the attacks read the metrics. */
const settings = { BURST_LIMIT: '', PLAN_LIMITS: '', EXPLORER: '', METRICS_TOKEN: 'bench-metrics-token' }
const server = sharePages(createEngine(), async () => settings)
/** These need a large catalogue, or half a minute; other tests cover them with counters and clocks set by hand. */
const longer = new Set([letters, slowReaders, ...slowhttptestAttacks])
const brief = attacks.filter((attack) => !longer.has(attack))

test.each(brief.map((attack, at) => ({ ...attack, at })))(
  '$name: breaks no bound, and others are served',
  async ({ run, at }) => {
    const { baseUrl, dataDir, demoKey = '' } = server()
    const address = `127.0.1.${at + 1}`
    const target = {
      url: baseUrl,
      dataDir,
      freeKeys: [demoKey],
      specKeys: ['dial_color'],
      address,
      seconds: 0.4,
    }
    const attacking = run(target)
    const { status } = await fetch(`${baseUrl}/healthz`)
    expect(status).toBe(200)
    expect(await attacking).toEqual({ reached: expect.any(String) })
    const { status: after } = await fetch(`${baseUrl}/explore`)
    expect(after).toBe(200)
  },
)
