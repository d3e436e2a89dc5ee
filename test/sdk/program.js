// Uses the SDK as a program of a customer does, with what every runtime has. Returns what it has seen: all runtimes have to
// see the same.
import {
  ConnectionError,
  NotFoundError,
  ValidationError,
  verifyWebhook,
  Watchdata,
  WebhookVerificationError,
} from '../../sdk/src/index.ts'

/**
 * @typedef {object} Settings
 * @property {string} baseUrl
 * @property {string} apiKey
 * @property {string} faultyUrl Fails twice before it responds; with watch 404, never responds.
 * @property {string} receiverUrl The address of a webhook.
 * @property {{ body: string, headers: Record<string, string>, secret: string, now: string }} event
 */

/** @param {Settings} settings */
export async function useClient({ baseUrl, apiKey, faultyUrl, receiverUrl, event }) {
  const client = new Watchdata({ baseUrl, apiKey, cache: true })
  const faulty = new Watchdata({ baseUrl: faultyUrl, apiKey })
  return {
    ...(await readCatalogue(client)),
    ...(await readAll(client)),
    webhook: await keepWebhook(client, receiverUrl),
    event: await verify(event),
    refused: await refusalOf(
      client.watches.list({ per_page: 1_000, spec: { case_diameter: { gte: 'big' } } }),
    ),
    missing: await refusalOf(client.watches.get(999_999)),
    retried: (await faulty.watches.get(1)).id,
    aborted: await abort(faulty),
    late: await refusalOf(faulty.watches.get(404, { timeoutMs: 100, maxRetries: 0 })),
    used: (await client.usage()).used,
  }
}

/** @param {Watchdata} client */
async function readCatalogue(client) {
  const page = await client.watches.list({
    spec: { water_resistance: { gte: '100 m' }, dial_color: ['Black', 'Blue'] },
    retail_price_usd: { lt: 50_000 },
    sort: '-retail_price_usd',
    fields: ['id', 'specs.dial_color'],
    per_page: 5,
  })
  const again = await client.watches.get(1).withResponse()
  const cached = await client.watches.get(1).withResponse()
  const { response, rateLimit } = await client.watches.list({ spec: { dail_color: 'Black' } }).withResponse()
  return {
    page,
    brand: (await client.watches.list({ brand: 'A. Lange & Söhne' })).meta.total,
    watch: again.data,
    isCached: again.rateLimit?.remaining === cached.rateLimit?.remaining,
    unknownKeys: response.headers.get('x-unknown-spec-keys'),
    resetAt: rateLimit?.resetAt,
    prices: await client.watches.prices(1),
    resolved: await client.resolve(['*MINT* Rolex Sub Date 116610LV Full Set 2018']),
    suggested: await client.suggest('speedm'),
  }
}

/** @param {Watchdata} client */
async function readAll(client) {
  const ids = []
  for await (const { id } of client.watches.list({ brand: 'Omega', per_page: 7 })) ids.push(id)
  const exported = client.export()
  let lines = 0
  for await (const { id } of exported) lines += id > 0 ? 1 : 0
  // An export of which the program has enough, and a feed.
  for await (const { id } of client.export()) if (id > 0) break
  const followed = []
  for await (const { sequence } of client.changes.follow({ since: 0 }))
    if (followed.push(sequence) === 3) break
  const { data, meta } = await client.changes.list({ since: 0, limit: 10, types: ['brand.created'] })
  return { ids, lines, cursor: exported.cursor, followed, changes: data.map(({ type }) => type), meta }
}

/**
 * @param {Watchdata} client
 * @param {string} receiverUrl
 */
async function keepWebhook({ webhooks }, receiverUrl) {
  const { id, secret } = await webhooks.create({ endpoint_url: receiverUrl, events: ['watch.created'] })
  const { status } = await webhooks.update(id, { status: 'paused' })
  await webhooks.delete(id)
  return { status, hasSecret: secret.startsWith('whsec_'), left: await webhooks.list() }
}

/** @param {Settings['event']} event */
async function verify({ body, headers, secret, now }) {
  const options = { now: new Date(now) }
  const { type } = await verifyWebhook(body, new Headers(headers), secret, options)
  const bytes = await verifyWebhook(new TextEncoder().encode(body), headers, secret, options)
  const changed = await refusalOf(verifyWebhook(`${body} `, headers, secret, options))
  return { type, bytes, changed }
}

/** @param {Watchdata} client */
async function abort(client) {
  const controller = new AbortController()
  setTimeout(() => controller.abort('enough'), 50)
  return client.watches.get(404, { signal: controller.signal }).catch((reason) => reason)
}

/** @param {PromiseLike<unknown>} call */
async function refusalOf(call) {
  try {
    await call
    return undefined
  } catch (error) {
    const classes = [ConnectionError, NotFoundError, ValidationError, WebhookVerificationError]
    const found = classes.find((one) => error instanceof one)?.name
    const { name, message } = /** @type {Error} */ (error)
    return { found: found === name, name, message, errors: error instanceof ValidationError && error.errors }
  }
}
