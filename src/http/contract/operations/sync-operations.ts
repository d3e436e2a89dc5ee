// The table of operations for callers that keep a copy of the catalogue.
import { type Grant, hasGrant, planNames, plans } from '../../../access/plans/plans.ts'
import { eventSelectors } from '../../../webhooks/event-types.ts'
import { changesDefault, changesMax, waitMaxSeconds } from '../../queries/changes-query.ts'
import { example, invalid, type OperationRow } from './operation.ts'

export const syncOperations: readonly OperationRow[] = [
  {
    id: 'listChanges',
    tag: 'Sync',
    path: '/changes',
    summary: 'List changes',
    description: `For ${plansWith('changes')}. The changes to the catalogue after \`since\`, in order and without gaps. Each change has the current state of its watch or brand: apply all changes in order, to an export, and you have exactly the catalogue. Continue with \`next_cursor\` as \`since\`: at once while \`has_more\` is true, otherwise with \`wait\`. At the end of the log the \`ETag\` is the cursor, so a request with \`If-None-Match: "<cursor>"\` costs no quota until something changes. A cursor is refused with 422 if the database was restored from a backup or lost the change in a failover, and with 410 if it is older than the changes that are kept; the copy then has to start again with a new export.`,
    found: 'The next changes; none when nothing has changed.',
    query: [
      {
        name: 'since',
        type: 'string',
        max: 64,
        meaning:
          'Where to start: after a `next_cursor`, the `X-Change-Cursor` of an export, or the `sequence` of a change. `now` is the end of the log; without `since`, changes start with the first one ever made, which is a 410 once old changes are removed.',
        example: 'since=0',
      },
      {
        name: 'limit',
        type: 'integer',
        default: String(changesDefault),
        max: changesMax,
        meaning: 'The maximum number of changes in the response.',
        example: 'limit=500',
      },
      {
        name: 'wait',
        type: 'integer',
        min: 0,
        default: '0',
        max: waitMaxSeconds,
        meaning:
          'How many seconds the request may wait while there are no changes. The response is sent as soon as there is one.',
        example: 'wait=10',
      },
      {
        name: 'types',
        type: 'list of strings',
        max: eventSelectors.length,
        choices: eventSelectors,
        meaning: 'Only changes of these types. `next_cursor` skips the others.',
        example: 'types=watch.price_changed,brand.*',
      },
    ],
    answers: ['ChangeList'],
    problems: ['log_too_short'],
    examples: [
      example('first', 'The first change of the sample', '/changes?since=0&limit=1'),
      example('watch', 'The first watch of the sample', '/changes?types=watch.*&limit=1'),
      example('nothing', 'Nothing new', '/changes?since=now'),
      invalid('/changes?since=yesterday&limit=1000'),
    ],
  },
  {
    id: 'exportWatches',
    tag: 'Sync',
    path: '/export',
    summary: 'Export all watches',
    description: `For ${plansWith('export')}. Every watch on a line of its own, as in the list of watches, ordered by id; compressed if your client accepts gzip, zstd or br. The export is not a snapshot: changes made while it is sent may or may not be in it. \`X-Change-Cursor\` marks its start: apply \`/changes\` from there, and your copy is exact. An aborted export ends without its last chunk, which your HTTP library reports as an error: discard it and start again. An account can run two exports at once: a third is refused with 429 and \`Retry-After\`, which costs no quota.`,
    found: 'All watches, one JSON object on each line.',
    answers: ['ExportLines'],
    mediaType: 'application/x-ndjson',
    headers: ['changeCursor'],
    examples: [],
  },
]

/** The names of the plans as a list in a sentence: `Pro and Platinum`. */
function plansWith(grant: Grant): string {
  const names = planNames.filter((plan) => hasGrant(plan, grant)).map((plan) => plans[plan].name)
  return new Intl.ListFormat('en').format(names)
}
