// Answers POST /resolve: which watches the titles of offers may mean. Every ten texts count as one request.
import { hasGrant } from '../../access/plans/plans.ts'
import { Problem } from '../../errors.ts'
import { TitleResolver } from '../../search/resolve/resolve-in-turns.ts'
import { parseResolveBody } from '../queries/resolve-body.ts'
import { catalogueEtag } from '../responses/etag.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'

/** Texts that count as one request together. */
export const textsPerRequest = 10

/** The plan includes the resource, but not that many texts. */
function onlyOne(): Problem {
  const text = 'Your plan includes one text at a time: send them one by one.'
  return new Problem('plan_excludes', { errors: { texts: [text] } })
}

export function resolveTexts({ body, caller }: Call, { index }: ApiParts): Prepared {
  const titles = parseResolveBody(body)
  if (titles.length > 1 && !hasGrant(caller.plan, 'resolve')) throw onlyOne()
  const resolver = new TitleResolver(titles)
  return {
    etag: catalogueEtag(index(), `/resolve ${JSON.stringify(titles)}`),
    requests: Math.ceil(titles.length / textsPerRequest),
    warmUp: (account) => resolver.takeTurns(index(), account),
    make: () => ({ headers: {}, content: Buffer.from(resolver.json(index())) }),
  }
}
