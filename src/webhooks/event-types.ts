// In charge of which events there are, and which of them an endpoint has asked for.

/** Without the test, which is sent to whoever asks for it. */
export const eventTypes = [
  'watch.created',
  'watch.updated',
  'watch.price_changed',
  'watch.deleted',
  'brand.created',
  'brand.updated',
] as const

export const testEvent = 'webhook.test'

export type EventType = (typeof eventTypes)[number] | typeof testEvent

/** What `events` may name: one, all of a kind, or all. */
export const eventSelectors: readonly string[] = ['*', 'watch.*', 'brand.*', ...eventTypes]

export const everyEvent: readonly string[] = ['*']

export function isSelected(selectors: readonly string[], type: EventType): boolean {
  const kind = `${type.slice(0, type.indexOf('.'))}.*`
  return selectors.some((selector) => selector === '*' || selector === kind || selector === type)
}
