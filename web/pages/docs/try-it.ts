// In charge of the part of the reference from which an endpoint can be asked. It needs a script, so it is hidden until
// there is one, which loads the rest when it is opened (web/scripts/try-it.ts).

import { type Html, html } from '../layout/html.ts'

/** What the script has to know of an endpoint. */
interface TryCall {
  /** Below /api/v1, with `{name}` for what varies. */
  readonly path: string
  /** An example, which the fields begin with. */
  readonly request: string
  readonly parameters: readonly { readonly name: string; readonly example: string }[]
  /** Whether it takes filters as well. */
  readonly hasFilters: boolean
}

export function tryIt(summary: string, call: TryCall): Html {
  return html`<details class="try" data-try="${JSON.stringify(call)}" hidden>
<summary>Try it<span class="unseen">: ${summary}</span></summary>
</details>
`
}
