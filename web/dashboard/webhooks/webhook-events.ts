// In charge of which events a webhook can ask for, as a person chooses them: all, all of a kind, or some by name.

export interface EventKind {
  /** Stands for all of its types, those that may come later among them. */
  readonly selector: string
  readonly label: string
  readonly types: readonly (readonly [type: string, when: string])[]
}

export const everyEvent = '*'
export const testEvent = 'webhook.test'

export const eventKinds: readonly EventKind[] = [
  {
    selector: 'watch.*',
    label: 'All events of watches',
    types: [
      ['watch.created', 'A watch is new.'],
      ['watch.updated', 'Fields or specs of a watch changed.'],
      ['watch.price_changed', 'A price of a watch changed.'],
      ['watch.deleted', 'A watch is gone.'],
    ],
  },
  {
    selector: 'brand.*',
    label: 'All events of brands',
    types: [
      ['brand.created', 'A brand is new.'],
      ['brand.updated', 'A brand changed.'],
    ],
  },
]

/** What a delivery can be about: the log is filtered by these. */
export const deliveredTypes: readonly string[] = [
  ...eventKinds.flatMap(({ types }) => types.map(([type]) => type)),
  testEvent,
]

/** What is sent: all is said alone, and a kind stands for its types. */
export function selectorsOf(isAll: boolean, chosen: ReadonlySet<string>): readonly string[] {
  if (isAll) return [everyEvent]
  return eventKinds.flatMap(({ selector, types }) =>
    chosen.has(selector) ? [selector] : types.map(([type]) => type).filter((type) => chosen.has(type)),
  )
}

/** Without it where it was among them, with it where it was not. */
export function turned(chosen: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set(chosen.has(name) ? [...chosen].filter((one) => one !== name) : [...chosen, name])
}

/** `All events`, or the names of those that are sent. */
export function eventsInWords(selectors: readonly string[]): string {
  return selectors.includes(everyEvent) ? 'All events' : selectors.join(', ')
}
