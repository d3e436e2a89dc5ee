// Builds the JSON body that is posted for an event, and the id by which a receiver recognises an event it has seen.

export interface PostedEvent {
  readonly type: string
  /** RFC 3339. */
  readonly at: string
  /** Null for a test, which is not a change. */
  readonly sequence: number | null
  /** The members of `data` besides the sequences, as JSON without the braces. */
  readonly body: string
}

export function eventBody(event: PostedEvent, previousSequence: number | null): string {
  const { type, at, sequence, body } = event
  const order = sequence === null ? [] : [`"sequence":${sequence},"previous_sequence":${previousSequence}`]
  const data = [...order, ...(body === '' ? [] : [body])].join(',')
  return `{"type":"${type}","timestamp":"${at}","data":{${data}}}`
}

const epochLength = 8

/**
 * Includes the epoch and the time of the change, because the same sequence is assigned again, to another change, by a
 * restored database and after a failover that lost changes.
 */
export function messageIdOf(epoch: string, { sequence, at }: { sequence: number; at: string }): string {
  return `evt_${epoch.slice(0, epochLength)}_${sequence}_${Date.parse(at).toString(36)}`
}
