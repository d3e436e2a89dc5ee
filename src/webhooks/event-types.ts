// Lists the event types, and decides whether the `events` of an endpoint select a type.

/** The types of catalogue changes. The test event is not among them: it is sent on request only. */
export const eventTypes = [
  'watch.created',
  'watch.updated',
  'watch.price_changed',
  'watch.deleted',
  'brand.created',
  'brand.updated',
  'brand.deleted',
] as const

export const testEvent = 'webhook.test'

export type EventType = (typeof eventTypes)[number] | typeof testEvent

/** The values that `events` may contain: one type, all types of a kind, or all types. */
export const eventSelectors: readonly string[] = ['*', 'watch.*', 'brand.*', ...eventTypes]

export const everyEvent: readonly string[] = ['*']

export function isSelected(selectors: readonly string[], type: EventType): boolean {
  const kind = `${type.slice(0, type.indexOf('.'))}.*`
  return selectors.some((selector) => selector === '*' || selector === kind || selector === type)
}
