// Creates a webhook sender with its dependencies: database, filter compiler, plans, mail and HTTP client.
import { type PlanName, plans } from '../access/plans/plans.ts'
import { provideSecret } from '../access/sign-in/session-secret.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { openMail } from '../mail/open-mail.ts'
import { createSealer } from '../seal.ts'
import { filterCompiler } from '../search/matcher/watch-matcher.ts'
import { readSynonyms } from '../specs/synonyms.ts'
import { createVocabulary } from '../specs/vocabulary.ts'
import type { Database } from '../storage/database.ts'
import type { Outcome } from '../webhooks/delivery/endpoint-run.ts'
import { Sender } from '../webhooks/delivery/sender.ts'
import { addressRules } from '../webhooks/outbound/endpoint-url.ts'
import { openPoster } from '../webhooks/outbound/post.ts'
import { openResolver, type Resolve } from '../webhooks/outbound/resolve-host.ts'
import type { Random } from '../webhooks/retry-schedule.ts'

export interface SenderNeeds {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly resolve?: Resolve
  readonly random?: Random
  readonly gatherMs?: number
  readonly onOutcome?: (outcome: Outcome) => void
}

export interface OpenSender {
  readonly sender: Sender
  /** Stops the sender and closes its HTTP connections. */
  close(): Promise<void>
}

export async function openSender(needs: SenderNeeds): Promise<OpenSender> {
  const { config, database, clock, log, resolve = openResolver(), onOutcome = () => {} } = needs
  const vocabulary = createVocabulary(await readSynonyms(config.synonymsFile))
  const poster = openPoster(addressRules(config, resolve))
  const sender = new Sender({
    database,
    clock,
    log,
    poster,
    onOutcome,
    gatherMs: needs.gatherMs,
    ...(needs.random && { random: needs.random }),
    mail: openMail(config, clock, log),
    sealer: createSealer(await provideSecret(database, config)),
    compileFilters: filterCompiler(vocabulary, (filter) =>
      log.warn({ filter }, 'a webhook has a filter that cannot be parsed: nothing matches it'),
    ),
    webhooksMax: (plan) => plans[plan as PlanName].webhooksMax,
  })
  return {
    sender,
    async close() {
      await sender.stop()
      await poster.close()
    },
  }
}
