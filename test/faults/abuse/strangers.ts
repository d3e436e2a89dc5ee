// Attacks by strangers who want more than the API would give them: watches without a key, accounts, and a second quota.
import { type Answer, type Attack, ask, type Target, tally } from './attack.ts'

/** What the Free plan gives in a day: 50 requests with 100 watches each. */
const freeRequests = 50
const freeWatches = 5_000
const scrapers = 4
const signUpsMax = 10
const password = 'a long enough password'

export const scraper: Attack = {
  name: 'a scraper without a key walks through the explorer',
  run: async (target) => {
    const watches = new Set<string>()
    const answers: Answer[] = []
    const endMs = performance.now() + target.seconds * 1_000
    const walk = async () => {
      while (performance.now() < endMs) {
        // The depth is bounded, so each list is walked through in another order.
        const page = 1 + (answers.length % 20)
        const sort = `${Math.floor(answers.length / 20)}`
        const answer = await ask(target, `/explore?per_page=24&page=${page}&current_market_price[gt]=${sort}`)
        answers.push(answer)
        for (const [link] of answer.body.matchAll(/href="\/explore\/watches\/\d+/g)) watches.add(link)
      }
    }
    await Promise.all(Array.from({ length: scrapers }, walk))
    const reached = `${watches.size} watches (${tally(answers)})`
    return watches.size <= freeWatches ? { reached } : { reached, broken: 'no more than a Free key gives' }
  },
}

export const signUps: Attack = {
  name: 'one address signs up again and again',
  run: async (target) => {
    const answers: Answer[] = []
    for (const endMs = performance.now() + target.seconds * 1_000; performance.now() < endMs; ) {
      answers.push(await signUp(target, `${Math.random().toString(36).slice(2)}@example.com`))
    }
    const created = answers.filter(isCreated).length
    const reached = `${created} accounts (${tally(answers)})`
    return created <= signUpsMax ? { reached } : { reached, broken: 'a daily bound of sign-ups' }
  },
}

export const rebirths: Attack = {
  name: 'one person spends a day, deletes the account, and signs up again',
  run: async (target) => {
    let served = 0
    let accounts = 0
    for (; ; accounts++) {
      const created = await signUp(target, 'again@example.com')
      if (!isCreated(created)) break
      const cookie = (created.headers['set-cookie'] ?? []).map((one) => one.split(';', 1)).join('; ')
      const send = (method: string, path: string, body: unknown) =>
        ask(target, path, {
          method,
          headers: { cookie, origin: target.url, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      const made = await send('POST', '/api/account/keys', { name: 'mine' })
      const { key } = JSON.parse(made.body).data
      for (let times = 0; times < freeRequests; times++) {
        const { status } = await ask(target, '/api/v1/watches', { key })
        if (status === 200) served++
      }
      const left = await send('DELETE', '/api/account', { password })
      if (left.status !== 204) throw new Error(`the account was not deleted: ${left.status} ${left.body}`)
    }
    const reached = `${served} responses with ${accounts} accounts`
    return served <= freeRequests ? { reached } : { reached, broken: 'one quota a day' }
  },
}

function isCreated({ status }: Answer): boolean {
  return status === 303
}

function signUp(target: Target, email: string): Promise<Answer> {
  return ask(target, '/sign-up', {
    method: 'POST',
    headers: { origin: target.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'A', email, password }).toString(),
  })
}
