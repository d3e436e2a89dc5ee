// Parses the fields of a webhook as given by a caller, and reports all field errors at once, worded like those of
// queries. The rules for URLs and filters are passed in.
import { type FieldErrors, Problem } from '../../errors.ts'
import { eventSelectors, everyEvent } from '../event-types.ts'
import type { EndpointStatus } from '../tables.ts'

/** The fields that the owner sets. */
export interface EndpointDraft {
  readonly endpoint_url: string
  readonly events: readonly string[]
  readonly filter: string | null
  readonly description: string | null
  readonly status: Exclude<EndpointStatus, 'disabled'>
}

export interface FieldRules {
  /** Returns what is wrong with a URL. May need a DNS lookup. */
  readonly checkUrl: (raw: string) => Promise<readonly string[]>
  /** Returns what is wrong with a filter. */
  readonly checkFilter: (raw: string) => readonly string[]
}

export type Fields = Readonly<Record<string, unknown>>

export const descriptionMaxLength = 255
/** How many invalid elements of a list are reported, and how many characters of each. */
const toldMax = 5
const toldMaxLength = 50
export const ownStatuses = ['active', 'paused'] as const

/** Characters that would move the cursor, end the line or reverse the text where it is displayed. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** Parses a new webhook: the URL is required, the other fields have defaults. */
export async function parseDraft(fields: Fields, rules: FieldRules): Promise<EndpointDraft> {
  const unasked = { events: everyEvent, filter: null }
  // Null counts as absent, as in the other fields.
  const events = fields.events ?? undefined
  const read = await readFields({ endpoint_url: null, ...fields, events }, rules, unasked)
  const { endpoint_url = '', description = null, status = 'active' } = read
  return { ...unasked, ...read, endpoint_url, description, status }
}

/** Parses changes: absent fields keep their values. A URL that stays the same is not checked again. */
export async function parseChanges(
  fields: Fields,
  rules: FieldRules,
  current: (Watched & Pick<EndpointDraft, 'endpoint_url'>) | undefined,
): Promise<Partial<EndpointDraft>> {
  const checkUrl = async (raw: string) => (raw === current?.endpoint_url ? [] : rules.checkUrl(raw))
  return readFields(fields, { ...rules, checkUrl }, current ?? { events: everyEvent, filter: null })
}

/** The fields that decide which changes are sent. */
type Watched = Pick<EndpointDraft, 'events' | 'filter'>

/** Ignores unknown fields. */
async function readFields(
  fields: Fields,
  rules: FieldRules,
  current: Watched,
): Promise<Partial<EndpointDraft>> {
  const { endpoint_url, events, filter, description, status } = fields
  const read = [
    endpoint_url === undefined ? none : await readUrl(endpoint_url, rules),
    events === undefined ? none : readEvents(events),
    filter === undefined ? none : readFilter(filter, rules),
    description === undefined ? none : readDescription(description),
    status === undefined ? none : readStatus(status),
  ]
  const value: Partial<EndpointDraft> = Object.assign({}, ...read.map((one) => one.value))
  const idle = events === undefined && filter === undefined ? none : refuseIdle({ ...current, ...value })
  const errors: FieldErrors = Object.assign({}, idle.errors, ...read.map((one) => one.errors))
  if (Object.keys(errors).length > 0) throw new Problem('invalid', { errors })
  return value
}

/** Filters match watches only, so a webhook with a filter and only brand events would never get one. */
function refuseIdle({ events, filter }: Watched): Read {
  const isOfBrands = events.every((event) => event.startsWith('brand.'))
  if (!isOfBrands || filter === null) return none
  return refuse(
    'filter',
    'The filter is about watches, and the events are of brands only: none would be sent.',
  )
}

interface Read {
  readonly value?: Partial<EndpointDraft>
  readonly errors?: FieldErrors
}

const none: Read = {}

async function readUrl(raw: unknown, { checkUrl }: FieldRules): Promise<Read> {
  if (isEmpty(raw)) return refuse('endpoint_url', 'The endpoint url field is required.')
  if (typeof raw !== 'string') return refuse('endpoint_url', 'The endpoint url must be a string.')
  const faults = await checkUrl(raw)
  return faults.length > 0 ? refuse('endpoint_url', ...faults) : { value: { endpoint_url: raw } }
}

/** Returns each selector once, in the order of `eventSelectors`. */
function readEvents(raw: unknown): Read {
  if (isEmpty(raw)) return refuse('events', 'The events field is required.')
  if (!Array.isArray(raw)) return refuse('events', 'The events must be a list.')
  if (raw.length === 0) return refuse('events', 'The events field is required.')
  const unknown = raw.filter((event) => !eventSelectors.includes(event))
  if (unknown.length > 0) return refuse('events', ...new Set(unknown.slice(0, toldMax).map(unknownEvent)))
  return { value: { events: eventSelectors.filter((event) => raw.includes(event)) } }
}

function readFilter(raw: unknown, { checkFilter }: FieldRules): Read {
  if (isEmpty(raw)) return { value: { filter: null } }
  if (typeof raw !== 'string') return refuse('filter', 'The filter must be a string.')
  const faults = checkFilter(raw)
  return faults.length > 0 ? refuse('filter', ...faults) : { value: { filter: raw } }
}

function readDescription(raw: unknown): Read {
  if (isEmpty(raw)) return { value: { description: null } }
  if (typeof raw !== 'string') return refuse('description', 'The description must be a string.')
  const description = raw.trim()
  if ([...description].length > descriptionMaxLength) {
    return refuse(
      'description',
      `The description may not be greater than ${descriptionMaxLength} characters.`,
    )
  }
  if (unprintable.test(description)) {
    return refuse('description', 'The description must not contain control characters.')
  }
  return { value: { description: description === '' ? null : description } }
}

function readStatus(raw: unknown): Read {
  const status = ownStatuses.find((one) => one === raw)
  if (status !== undefined) return { value: { status } }
  return refuse('status', `The selected status is invalid: it may be ${ownStatuses.join(' or ')}.`)
}

function isEmpty(raw: unknown): boolean {
  return raw === null || (typeof raw === 'string' && raw.trim() === '')
}

function refuse(field: string, ...texts: string[]): Read {
  return { errors: { [field]: texts } }
}

function unknownEvent(event: unknown): string {
  if (typeof event !== 'string') return 'The events must be a list of strings.'
  const named = event.length > toldMaxLength ? `${event.slice(0, toldMaxLength)}…` : event
  return `The selected events is invalid: ${JSON.stringify(named)} is none of ${eventSelectors.join(', ')}.`
}
