// In charge of what can be asked by who keeps a copy of the catalogue, as a table.
import { type Grant, hasGrant, planNames, plans } from '../../../access/plans/plans.ts'
import { eventSelectors } from '../../../webhooks/event-types.ts'
import { changesDefault, changesMax, waitMaxSeconds } from '../../queries/changes-query.ts'
import { example, invalid, type Operation } from './operation.ts'

export const syncOperations: readonly Operation[] = [
  {
    id: 'listChanges',
    tag: 'Sync',
    method: 'GET',
    path: '/changes',
    summary: 'List changes',
    description: `For ${plansWith('changes')}. What happened in the catalogue after \`since\`, in order and without a gap. Each change has its watch or brand as it is now, so whoever applies them in order to an export, or to nothing from the start of the log, ends with exactly the catalogue. Ask again with \`next_cursor\` as \`since\`: at once while \`has_more\` is true, else with \`wait\`. Where there is nothing more, the \`ETag\` is the cursor, so a request with \`If-None-Match: "<cursor>"\` is free as long as nothing happens. A cursor stays good until the database is restored from a backup; then it is answered 422, and the copy has to begin with a new export.`,
    found: 'The next changes; none when nothing has happened.',
    pathParameters: [],
    query: [
      {
        name: 'since',
        type: 'string',
        default: undefined,
        max: 64,
        meaning:
          'Where to go on: a `next_cursor`, the `X-Change-Cursor` of an export, or the `sequence` of a change. `now` for the end of the log; without it, from the start.',
        example: 'since=0',
      },
      {
        name: 'limit',
        type: 'integer',
        default: String(changesDefault),
        max: changesMax,
        meaning: 'How many changes are answered at most.',
        example: 'limit=500',
      },
      {
        name: 'wait',
        type: 'integer',
        min: 0,
        default: '0',
        max: waitMaxSeconds,
        meaning:
          'For how many seconds the answer may wait when there is nothing to tell. It comes as soon as there is.',
        example: 'wait=10',
      },
      {
        name: 'types',
        type: 'list of strings',
        default: undefined,
        max: eventSelectors.length,
        choices: eventSelectors,
        meaning: 'Only changes of these types. `next_cursor` goes past the others.',
        example: 'types=watch.price_changed,brand.*',
      },
    ],
    answers: ['ChangeList'],
    headers: [],
    problems: ['invalid'],
    examples: [
      example('first', 'The first change of the sample', {
        request: '/changes?since=0&limit=1',
        answer: 'ChangeList',
      }),
      example('watch', 'The first watch of the sample', {
        request: '/changes?types=watch.*&limit=1',
        answer: 'ChangeList',
      }),
      example('nothing', 'Nothing new', { request: '/changes?since=now', answer: 'ChangeList' }),
      invalid('/changes?since=yesterday&limit=1000'),
    ],
  },
  {
    id: 'exportWatches',
    tag: 'Sync',
    method: 'GET',
    path: '/export',
    summary: 'Export all watches',
    description: `For ${plansWith('export')}. Every watch on a line of its own, just as the list has it, in order of id; compressed for who accepts gzip, zstd or br. It is not a picture of one moment: what changes while it is sent may be in it or not. \`X-Change-Cursor\` is of its start: with \`/changes\` from there on, your copy is exact. An export that breaks off ends without its last chunk, and so with an error of your HTTP library: throw it away and begin again. An account can have two under way: a third is refused with 429 and \`Retry-After\`, at no cost.`,
    found: 'All watches, one JSON object on each line.',
    pathParameters: [],
    query: [],
    answers: ['ExportLines'],
    mediaType: 'application/x-ndjson',
    headers: ['changeCursor'],
    problems: [],
    examples: [],
  },
]

/** In the words of a sentence: `Pro and Platinum`. */
function plansWith(grant: Grant): string {
  const names = planNames.filter((plan) => hasGrant(plan, grant)).map((plan) => plans[plan].name)
  return new Intl.ListFormat('en').format(names)
}
