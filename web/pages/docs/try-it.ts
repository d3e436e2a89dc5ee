// Renders the "Try it" section of an endpoint in the reference. It needs a script, so it is hidden until the script
// runs; the form itself is loaded when the section is opened (web/scripts/try-it.ts).

import { type Html, html } from '../layout/html.ts'

/** The endpoint's data for the script. */
interface TryCall {
  /** The path relative to /api/v1, with `{name}` for each path parameter. */
  readonly path: string
  /** An example request, which fills the fields at first. */
  readonly request: string
  readonly parameters: readonly { readonly name: string; readonly example: string }[]
  /** Whether the endpoint also takes filters. */
  readonly hasFilters: boolean
}

export function tryIt(summary: string, call: TryCall): Html {
  return html`<details class="try" data-try="${JSON.stringify(call)}" hidden>
<summary>Try it<span class="unseen">: ${summary}</span></summary>
</details>
`
}
