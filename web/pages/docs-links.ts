// In charge of how the docs page names endpoints and plans within its sentences: as this instance has them.

import type { Reference } from './docs-data.ts'
import { type Html, html } from './html.ts'
import type { Plan } from './instance.ts'

export function endpointLink({ endpoints }: Reference, path: string): Html {
  const anchor = endpoints.find((endpoint) => endpoint.path === path)?.anchor
  return anchor === undefined
    ? html`<code>${path}</code>`
    : html`<a href="#${anchor}"><code>${path}</code></a>`
}

/** `Pro and Platinum`. */
export function plansWith(plans: readonly Plan[], grant: string): string {
  const names = plans.filter(({ grants }) => grants.includes(grant)).map(({ name }) => name)
  return new Intl.ListFormat('en').format(names) || 'no plan'
}

/** A long path is broken after a slash, never inside a word. */
export function breakable(path: string): Html {
  return html`${path.split(/(?<=[^/]\/)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)}`
}
