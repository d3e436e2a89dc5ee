// Builds the texts of `watchdata listen`: the opening, a line for each event, and the closing. Control characters in
// text from services and receivers are escaped.
import { styleText } from 'node:util'
import { counted, grouped, shown, visible } from '../catalogue-texts.ts'
import type { FeedChange } from './ask-changes.ts'
import type { Forwarded } from './forward-event.ts'
import type { ListenPlan } from './listen-options.ts'

export function openingText({ feed, since, receiver, isNewSecret }: ListenPlan): string {
  const types = feed.types.length === 0 ? 'every event' : feed.types.join(', ')
  const start = since === 'now' ? 'from now on' : `after ${since}`
  const lines = [`Listening to ${feed.api} for ${types}, ${start}. Ctrl-C ends.`]
  if (receiver !== undefined) {
    lines.push(`Forwarding to ${receiver.url}, signed with ${isNewSecret ? 'this secret:' : 'your secret.'}`)
  }
  if (receiver !== undefined && isNewSecret) {
    lines.push('', `  ${receiver.secret}`, '')
    lines.push('Give it to your program, which checks each event with a Standard Webhooks library:')
    lines.push(
      'new Webhook(secret).verify(body, headers). To keep it for the next time, set WATCHDATA_SECRET to it.',
    )
  }
  return `${lines.join('\n')}\n`
}

/** `14:03:12  watch.updated        #42 Rolex 124060  collection  → 200 in 12 ms` */
export function eventLine(now: Date, change: FeedChange, forwarded: Forwarded | undefined): string {
  const parts = [
    faint(timeText(new Date(change.at), now)),
    visible(change.type).padEnd(typeWidth),
    subjectText(change),
  ]
  const changes = changesText(change)
  if (changes !== '') parts.push(changes)
  if (forwarded !== undefined) {
    const colour = forwarded.isTaken ? 'green' : 'red'
    parts.push(styleText(colour, `→ ${visible(forwarded.text)}`, { stream: process.stdout }))
  }
  return parts.join('  ')
}

export function secretHint({ isNewSecret }: ListenPlan): string {
  const secret = isNewSecret ? 'the one above' : 'the one given here'
  return `A response of 400 or 401 usually means that the signature check failed: is its secret ${secret}?`
}

export function closingText(
  { receiver }: ListenPlan,
  { taken, failed, cursor }: { taken: number; failed: number; cursor: string | undefined },
): string {
  const events = (count: number) => counted(count, 'event', 'events')
  const done = receiver === undefined ? `${events(taken)}.` : `${events(taken)} forwarded, ${failed} failed.`
  if (cursor === undefined) return done
  const start = failed === 0 ? 'To go on from here' : 'To go on with the first that failed, and all after it'
  return `${done} ${start}: --since ${cursor}`
}

const typeWidth = 'watch.price_changed'.length
const fieldsMax = 3

/** The local time of the event, with the date if it is not today. */
function timeText(at: Date, now: Date): string {
  const time = at.toTimeString().slice(0, 8)
  return at.toDateString() === now.toDateString() ? time : `${at.toLocaleDateString('sv')} ${time}`
}

function subjectText({ watch_id, watch, brand_id, brand, deleted }: FeedChange): string {
  if (brand_id !== undefined) return visible(`brand #${brand_id} ${nameOf(brand, ['name'])}`.trimEnd())
  return visible(`#${watch_id} ${nameOf(watch ?? deleted, ['brand', 'reference_number'])}`.trimEnd())
}

function nameOf(subject: unknown, fields: readonly string[]): string {
  const told = (subject ?? {}) as Record<string, unknown>
  return fields
    .map((field) => told[field] ?? '')
    .filter((text) => text !== '')
    .join(' ')
}

const prices: Readonly<Record<string, string>> = {
  retail_price_usd: 'retail',
  current_market_price: 'market',
}

/** `market 11,800 → 12,100` for prices; only the field names for other changes. */
function changesText({ type, changes }: FeedChange): string {
  const fields = Object.entries((changes ?? {}) as Record<string, Partial<Record<'old' | 'new', unknown>>>)
  const isPrice = type === 'watch.price_changed'
  const texts = fields.slice(0, fieldsMax).map(([field, value]) => {
    return isPrice ? `${prices[field] ?? field} ${priceText(value?.old)} → ${priceText(value?.new)}` : field
  })
  const more = fields.length - texts.length
  return visible(texts.join(', ') + (more > 0 ? ` and ${grouped(more)} more` : ''))
}

function priceText(price: unknown): string {
  return typeof price === 'number' ? grouped(price) : shown(price)
}

function faint(text: string): string {
  return styleText('dim', text, { stream: process.stdout })
}
