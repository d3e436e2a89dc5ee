// Parses and checks the options of `watchdata listen` before any request is sent. Each fault is reported in one
// sentence.
import { Failure } from '../../errors.ts'
import { eventSelectors, eventTypes, isSelected } from '../../webhooks/event-types.ts'
import { generateSecret } from '../../webhooks/secret.ts'
import type { CommonOptions } from '../output.ts'
import type { Feed } from './ask-changes.ts'
import type { Receiver } from './forward-event.ts'

export interface ListenOptions extends CommonOptions {
  readonly url: string
  readonly events: string
  readonly since: string
  readonly forwardTo?: string
  readonly key?: string
  readonly secret?: string
}

export interface ListenPlan {
  readonly feed: Feed
  readonly since: string
  /** Undefined if events are only printed. */
  readonly receiver: Pick<Receiver, 'url' | 'secret'> | undefined
  /** Whether the secret was generated for this run and must be shown. */
  readonly isNewSecret: boolean
  readonly isJson: boolean
}

/** Thrown for wrong options, before any request is sent. */
export class WrongCall extends Failure {}

const apiPath = '/api/v1'
/** A secret as in Standard Webhooks: 24 to 64 bytes in base64. */
const secretShape = /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function parseListenOptions(options: ListenOptions): ListenPlan {
  const { forwardTo, secret, since, json = false } = options
  const feed = { api: apiOf(options.url), key: keyOf(options.key), types: typesOf(options.events) }
  const url =
    forwardTo === undefined
      ? undefined
      : addressOf('--forward-to', forwardTo, 'http://localhost:3000/events').href
  if (secret !== undefined && !secretShape.test(secret)) {
    throw new WrongCall('The secret is not valid: it must be whsec_ and 24 to 64 bytes in base64.')
  }
  return {
    feed,
    since,
    receiver: url === undefined ? undefined : { url, secret: secret ?? generateSecret() },
    isNewSecret: secret === undefined,
    isJson: json,
  }
}

/** Accepts the URL with or without the path of the API. */
function apiOf(raw: string): string {
  const { origin, pathname } = addressOf('--url', raw, 'https://watches.example.com')
  const path = pathname.replace(/\/+$/, '')
  return origin + (path.endsWith(apiPath) ? path : path + apiPath)
}

function addressOf(option: string, raw: string, example: string): URL {
  const url = URL.parse(raw)
  if (url !== null && url.username + url.password !== '') {
    // The password would be printed in messages.
    throw new WrongCall(`${option} must not have a user name or password in it.`)
  }
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new WrongCall(`${option} ${raw} is no address: write it as ${example}.`)
}

function keyOf(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw new WrongCall('The change feed needs an API key: set WATCHDATA_KEY to yours.')
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new WrongCall('The API key has characters that no key has: copy it once more.')
  }
  return key
}

/** Returns an empty list if all types are selected. */
function typesOf(events: string): string[] {
  const selectors = events.split(',').map((one) => one.trim())
  const unknown = selectors.find((one) => !eventSelectors.includes(one))
  if (unknown !== undefined) {
    throw new WrongCall(
      `There is no event ${unknown}: use --events with any of ${eventSelectors.join(', ')}.`,
    )
  }
  const types = eventTypes.filter((type) => isSelected(selectors, type))
  return types.length === eventTypes.length ? [] : types
}
