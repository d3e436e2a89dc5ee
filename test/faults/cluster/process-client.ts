// Calls the API of one watchdata process for the drill: reads a watch, writes a webhook, exports the catalogue.
import { askForWatch } from './recording-client.ts'

const answerMaxMs = 5_000
const exportMaxMs = 30_000

export interface Exported {
  readonly text: string
  /** The value of X-Catalogue-Sequence; undefined if the response has none. */
  readonly sequence: number | undefined
}

export class ProcessClient {
  readonly url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.url = url
    this.#key = key
  }

  /** Returns undefined if the request failed. */
  async findPrice(watchId: number): Promise<number | undefined> {
    return (await askForWatch(this.url, this.#key, watchId)).price
  }

  /** Creates a webhook and returns its id. */
  async createWebhook(endpoint_url: string, status: 'active' | 'paused' = 'active'): Promise<number> {
    const answer = await this.#send('POST', '/webhooks', {
      endpoint_url,
      events: ['watch.price_changed'],
      status,
    })
    if (answer.status !== 201) throw new Error(`a webhook was not created: ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: { id: number } }
    return data.id
  }

  /** Makes the process write to the database. Returns true if it did. */
  async changeWebhook(id: number, description: string): Promise<boolean> {
    const answer = await this.#send('PATCH', `/webhooks/${id}`, { description })
    await answer.bytes()
    return answer.status === 200
  }

  async export(): Promise<Exported> {
    const answer = await fetch(`${this.url}/api/v1/export`, {
      headers: { authorization: `Bearer ${this.#key}` },
      signal: AbortSignal.timeout(exportMaxMs),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`an export failed with ${answer.status}: ${text}`)
    const sequence = answer.headers.get('x-catalogue-sequence')
    return { text, sequence: sequence === null ? undefined : Number(sequence) }
  }

  #send(method: string, path: string, body: object): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(answerMaxMs),
    })
  }
}
