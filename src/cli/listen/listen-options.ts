// Parses and checks the options of `watchdata listen` before any request is sent. Each fault is reported in one
// sentence.
import { eventSelectors, eventTypes, isSelected } from '../../webhooks/event-types.ts'
import { generateSecret } from '../../webhooks/secret.ts'
import { addressOf, apiOf, keyOf, WrongCall } from '../connection-options.ts'
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

/** A secret as in Standard Webhooks: 24 to 64 bytes in base64. */
const secretShape = /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

export function parseListenOptions(options: ListenOptions): ListenPlan {
  const { forwardTo, secret, since, json = false } = options
  const feed = {
    api: apiOf(options.url),
    key: keyOf(options.key, 'The change feed'),
    types: typesOf(options.events),
  }
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
