// Creates a webhook sender with its dependencies: database, filter compiler, plans, mail and HTTP client.
import { type PlanName, plans } from '../access/plans/plans.ts'
import { provideSecret } from '../access/sign-in/session-secret.ts'
import type { Config } from '../config.ts'
import { openMail } from '../mail/open-mail.ts'
import { addressRules } from '../outbound/address-rules.ts'
import { openResolver, type Resolve } from '../outbound/resolve-host.ts'
import { createSealer } from '../seal.ts'
import { filterCompiler } from '../search/matcher/watch-matcher.ts'
import { readVocabulary } from '../specs/read-vocabulary.ts'
import { Sender, type SenderParts } from '../webhooks/delivery/sender.ts'
import { openPoster } from '../webhooks/outbound/post.ts'

export interface SenderNeeds
  extends Pick<SenderParts, 'database' | 'clock' | 'log' | 'gatherMs'>,
    Partial<Pick<SenderParts, 'random' | 'onOutcome'>> {
  readonly config: Config
  readonly resolve?: Resolve
}

/** `close` stops the sender and closes its HTTP connections. */
export async function openSender({ config, resolve = openResolver(), ...needs }: SenderNeeds) {
  const { database, clock, log } = needs
  const vocabulary = await readVocabulary(config)
  const poster = openPoster(addressRules(config, resolve))
  const sender = new Sender({
    random: Math.random,
    onOutcome: () => {},
    ...needs,
    poster,
    mail: openMail(config, clock, log),
    sealer: createSealer(await provideSecret(database, config)),
    compileFilters: filterCompiler(vocabulary, (filter) =>
      log.warn({ filter }, 'a webhook has a filter that cannot be parsed: nothing matches it'),
    ),
    webhooksMax: (plan) => plans[plan as PlanName].webhooksMax,
  })
  const close = async () => {
    await sender.stop()
    await poster.close()
  }
  return { sender, close }
}
