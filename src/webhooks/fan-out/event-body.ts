// In charge of what is posted for an event: its JSON, and the id by which a receiver knows that it came before.

export interface PostedEvent {
  readonly type: string
  /** RFC 3339. */
  readonly at: string
  /** Null for a test, which is no change. */
  readonly sequence: number | null
  /** The members of `data` besides the sequences: JSON without its braces. */
  readonly body: string
}

export function eventBody(event: PostedEvent, previousSequence: number | null): string {
  const { type, at, sequence, body } = event
  const order = sequence === null ? [] : [`"sequence":${sequence},"previous_sequence":${previousSequence}`]
  const data = [...order, ...(body === '' ? [] : [body])].join(',')
  return `{"type":"${type}","timestamp":"${at}","data":{${data}}}`
}

const epochLength = 8

/** With the epoch, because a database that was restored gives a sequence again, to another change. */
export function messageIdOf(epoch: string, sequence: number): string {
  return `evt_${epoch.slice(0, epochLength)}_${sequence}`
}
