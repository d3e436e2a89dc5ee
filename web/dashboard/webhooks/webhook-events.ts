// The events a webhook can subscribe to, as the user selects them: all, all of a kind, or some by name.

export interface EventKind {
  /** Selects all types of the kind, including types added later. */
  readonly selector: string
  readonly label: string
  readonly types: readonly (readonly [type: string, when: string])[]
}

export const everyEvent = '*'
export const testEvent = 'webhook.test'

export const eventKinds: readonly EventKind[] = [
  {
    selector: 'watch.*',
    label: 'All watch events',
    types: [
      ['watch.created', 'A watch was added.'],
      ['watch.updated', 'Fields or specs of a watch changed.'],
      ['watch.price_changed', 'A price of a watch changed.'],
      ['watch.deleted', 'A watch was deleted.'],
    ],
  },
  {
    selector: 'brand.*',
    label: 'All brand events',
    types: [
      ['brand.created', 'A brand was added.'],
      ['brand.updated', 'A brand changed.'],
      ['brand.deleted', 'A brand was deleted.'],
    ],
  },
]

/** The event types of deliveries, by which the log can be filtered. */
export const deliveredTypes: readonly string[] = [
  ...eventKinds.flatMap(({ types }) => types.map(([type]) => type)),
  testEvent,
]

/** The selectors to send: `*` alone for all events, and a kind in place of its types. */
export function selectorsOf(isAll: boolean, chosen: ReadonlySet<string>): readonly string[] {
  if (isAll) return [everyEvent]
  return eventKinds.flatMap(({ selector, types }) =>
    chosen.has(selector) ? [selector] : types.map(([type]) => type).filter((type) => chosen.has(type)),
  )
}

/** Adds the name to the set, or removes it if it is already there. */
export function turned(chosen: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set(chosen.has(name) ? [...chosen].filter((one) => one !== name) : [...chosen, name])
}

/** `All events`, or the names of the selected events. */
export function eventsInWords(selectors: readonly string[]): string {
  return selectors.includes(everyEvent) ? 'All events' : selectors.join(', ')
}
