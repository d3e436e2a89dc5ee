// Renders the field of a search form. A script completes what is typed (scripts/suggest-box.ts); without it, the form
// works as it is.
import { type Html, html } from './html.ts'

export function searchField(q: string): Html {
  return html`<div class="search-field">
<label for="q" class="unseen">Search brand, collection, reference, nickname and specs</label>
<input id="q" name="q" type="search" value="${q}" placeholder="Search watches" autocomplete="off" spellcheck="false" maxlength="512" data-suggest="/explore/suggest">
</div>`
}
