// Attacks by requests that are as dear as they can be.
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../src/clock.ts'
import { parseConfig } from '../../../src/config.ts'
import { openLog } from '../../../src/log.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { setPrice } from '../../catalogue/catalogue-writes.ts'
import { type Answer, type Attack, ask, atRate, eightBounds, tally } from './attack.ts'

/** What the Free plan gives in a day. */
const freeRequests = 50
const changeEveryMs = 1_000

export const freeDay: Attack = {
  name: 'a free account sends its whole day at once, each request as dear as can be',
  run: async (target) => {
    const facets = ['brand', 'collection', ...target.specKeys.slice(0, 12)].join(',')
    const answers = await Promise.all(
      Array.from({ length: freeRequests }, () => {
        const query = `${eightBounds()}&facets=${facets}&explain=1&sort=-updated_at`
        return ask(target, `/api/v1/watches?${query}`, { key: target.freeKeys[0] })
      }),
    )
    return { reached: tally(answers) }
  },
}

export const dearViews: Attack = {
  name: 'a visitor looks at 8 dear pages of the explorer a second',
  run: async (target) => {
    const answers: Answer[] = []
    await atRate(target.seconds, 8, async () => {
      answers.push(await ask(target, `/explore?q=a&sort=-current_market_price&${eightBounds()}`))
    })
    return { reached: tally(answers) }
  },
}

export const letters: Attack = {
  name: 'free accounts search for single letters, while a price changes every second',
  run: async (target) => {
    const config = parseConfig({ DATA_DIR: target.dataDir, LOG_LEVEL: 'silent' })
    const database = await openDatabase(config, openLog(config))
    const endMs = performance.now() + target.seconds * 1_000
    const change = async () => {
      for (let price = 1_000; performance.now() < endMs; price++) {
        await setPrice(database, systemClock, 1, { retail_price_usd: price, current_market_price: price })
        await delay(changeEveryMs)
      }
    }
    const answers: Answer[] = []
    let sent = 0
    const search = atRate(target.seconds, 20, async () => {
      const letter = 'raes0o1n'[sent % 8] as string
      const key = target.freeKeys[sent++ % target.freeKeys.length]
      answers.push(await ask(target, `/api/v1/watches?q=${letter}`, { key }))
    })
    await Promise.all([change(), search])
    await database.close()
    return { reached: tally(answers) }
  },
}

export const guesses: Attack = {
  name: 'a stranger guesses 500 keys a second',
  run: async (target) => {
    const answers: Answer[] = []
    await atRate(target.seconds, 500, async () => {
      const key = `wd_live_${Math.random().toString(36).slice(2)}`
      answers.push(await ask(target, '/api/v1/watches', { key }))
    })
    return { reached: tally(answers) }
  },
}

export const freeRequestsOnly: Attack = {
  name: 'a free account sends 1,000 requests a second that cost it nothing',
  run: async (target) => {
    const [key] = target.freeKeys
    const { headers } = await ask(target, '/api/v1/watches', { key })
    const known = { 'if-none-match': String(headers.etag) }
    const answers: Answer[] = []
    await atRate(target.seconds, 500, async () => {
      answers.push(
        ...(await Promise.all([
          ask(target, '/api/v1/watches', { key, headers: known }),
          ask(target, '/api/v1/usage', { key }),
        ])),
      )
    })
    return { reached: tally(answers) }
  },
}
