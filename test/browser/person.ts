// An HTTP client that acts as a user's browser: stores cookies and sends the Origin header.
import type { BrowserContext } from 'playwright-core'
import { CookieJar } from '../sign-in/cookie-jar.ts'

export class Person {
  readonly #baseUrl: string
  readonly #jar = new CookieJar()

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  async signUp(email: string, name: string, password: string): Promise<void> {
    await this.ask('POST', '/api/auth/sign-up/email', { email, name, password })
  }

  /** Creates the operator with the link that the service prints while it has no operator. */
  async setUp(link: string, email: string, name: string, password: string): Promise<void> {
    const token = new URL(link).searchParams.get('token') ?? ''
    const body = new URLSearchParams({ token, email, name, password })
    await this.#send('/setup', { method: 'POST', body })
  }

  /** Sends a JSON request and returns the body. Throws if the response is not a success. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what it contains
  async ask(method: string, path: string, body?: object): Promise<any> {
    const json = { 'content-type': 'application/json' }
    const sent = body === undefined ? { method } : { method, headers: json, body: JSON.stringify(body) }
    const answer = await this.#send(path, sent)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}: ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  /** Calls the API with a key, as a program of the user would. */
  async call(key: string, path: string): Promise<Response> {
    const answer = await fetch(`${this.#baseUrl}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await answer.arrayBuffer()
    return answer
  }

  /** Adds this user's cookies to the browser context. */
  async enter(context: BrowserContext): Promise<void> {
    const cookies = [...this.#jar.cookies].map(([name, value]) => ({ name, value, url: this.#baseUrl }))
    await context.addCookies(
      cookies.map((cookie) => ({ ...cookie, httpOnly: true, sameSite: 'Lax' as const })),
    )
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = { ...init.headers, origin: this.#baseUrl, ...this.#jar.header }
    const answer = await fetch(this.#baseUrl + path, { ...init, headers, redirect: 'manual' })
    this.#jar.keep(answer)
    return answer
  }
}
