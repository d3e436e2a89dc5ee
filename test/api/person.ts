// Acts as a user's browser without JavaScript: stores cookies, sends forms and the Origin header, and does not follow
// redirects.
import { expect } from 'vitest'
import { CookieJar } from '../sign-in/cookie-jar.ts'
import { password } from '../sign-in/session-visitor.ts'
import type { TestServer } from './running-server.ts'

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The target of a redirect. */
  readonly location: string | null
  readonly title: string
}

type Fields = Record<string, string>

export class Person {
  readonly #jar = new CookieJar()
  readonly #baseUrl: string
  readonly #headers: Fields

  constructor(baseUrl: string, headers: Fields = {}) {
    this.#baseUrl = baseUrl
    this.#headers = { origin: baseUrl, 'sec-fetch-site': 'same-origin', accept: 'text/html', ...headers }
  }

  get cookies(): Map<string, string> {
    return this.#jar.cookies
  }

  get(path: string): Promise<Page> {
    return this.send('GET', path)
  }

  submit(path: string, fields: Fields = {}, headers: Fields = {}): Promise<Page> {
    return this.send('POST', path, new URLSearchParams(fields), headers)
  }

  /** Sends JSON, as the app does. */
  async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const { text } =
      body === undefined
        ? await this.send(method, path)
        : await this.send(method, path, JSON.stringify(body), { 'content-type': 'application/json' })
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  async send(
    method: string,
    path: string,
    body?: URLSearchParams | string,
    more: Fields = {},
  ): Promise<Page> {
    const headers = { ...this.#headers, ...this.#jar.header, ...more }
    const answer = await fetch(this.#baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    this.#jar.keep(answer)
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      location: answer.headers.get('location'),
      title: /<title>([^<]*)</.exec(text)?.[1] ?? '',
    }
  }

  signUp(email: string, more: Fields = {}): Promise<Page> {
    return this.submit('/sign-up', { name: 'Ada', email, password, ...more })
  }

  signIn(email: string, more: Fields = {}): Promise<Page> {
    return this.submit('/sign-in', { email, password, ...more })
  }
}

/** Creates the operator with the link that the server printed. */
export async function makeOperator(
  { baseUrl, setupUrl = '' }: TestServer,
  name = 'Olga',
  headers: Fields = {},
): Promise<Person> {
  const olga = new Person(baseUrl, headers)
  const token = new URL(setupUrl).searchParams.get('token') ?? ''
  const made = await olga.submit('/setup', { token, name, email: 'olga@example.org', password })
  expect(made.location).toBe('/dashboard')
  return olga
}

/** Requests and grants Platinum for the operator, so that the plan restricts nothing. */
export async function grantPlatinum(operator: Person): Promise<void> {
  const asked = { plan: 'platinum' }
  const { data } = await operator.ask<{ data: { id: string } }>('POST', '/api/account/plan-request', asked)
  const { status } = await operator.send('POST', `/api/operator/plan-requests/${data.id}/grant`)
  expect(status).toBe(204)
}
