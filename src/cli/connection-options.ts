// Reads the options by which a command reaches a service over HTTP: its address and the API key.

import { Failure } from '../errors.ts'

/** Thrown for wrong options, before any request is sent. */
export class WrongCall extends Failure {}

const apiPath = '/api/v1'

/** Accepts the URL with or without the path of the API. */
export function apiOf(raw: string): string {
  const { origin, pathname } = addressOf('--url', raw, 'https://watches.example.com')
  const path = pathname.replace(/\/+$/, '')
  return origin + (path.endsWith(apiPath) ? path : path + apiPath)
}

export function addressOf(option: string, raw: string, example: string): URL {
  const url = URL.parse(raw)
  if (url !== null && url.username + url.password !== '') {
    // The password would be printed in messages.
    throw new WrongCall(`${option} must not have a user name or password in it.`)
  }
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new WrongCall(`${option} ${raw} is no address: write it as ${example}.`)
}

/** `what` needs the key: `A copy`. */
export function keyOf(key: string | undefined, what: string): string {
  if (key === undefined || key === '') {
    throw new WrongCall(`${what} needs an API key: set WATCHDATA_KEY to yours.`)
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new WrongCall('The API key has characters that no key has: copy it once more.')
  }
  return key
}
