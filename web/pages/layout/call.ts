// In charge of the API call that makes what a page shows, in three languages, each ready to be copied and run. Which one
// is in sight is chosen by radio buttons and the stylesheet, so that it needs no script.

import { curlOf } from '../../scripts/curl.ts'
import { copyBlock } from './block.ts'
import { type Html, html } from './html.ts'
import { apiAddress } from './request.ts'

interface Language {
  readonly id: string
  readonly name: string
  readonly write: (url: string) => string
}

const languages: readonly Language[] = [
  { id: 'curl', name: 'curl', write: (url) => curlOf(url) },
  { id: 'ts', name: 'TypeScript', write: writeTypeScript },
  { id: 'py', name: 'Python', write: writePython },
]

/** `path` is below /api/v1, with its query: `/watches?per_page=1`. `idPrefix` must be the only one of its page. */
export function apiCall(idPrefix: string, baseUrl: string, path: string): Html {
  const url = callUrl(baseUrl, path)
  return html`<div class="call" role="group" aria-label="The API call that makes this view">
${languages.map(
  (
    { id, name },
    at,
  ) => html`<input type="radio" name="${idPrefix}-language" id="${idPrefix}-${id}-tab"${at === 0 && html` checked`}><label for="${idPrefix}-${id}-tab">${name}</label>
`,
)}<div class="call-panels">
${languages.map(
  ({
    id,
    name,
    write,
  }) => html`<div class="call-panel">${copyBlock(`${idPrefix}-${id}`, `GET ${shortened(path)} · ${name}`, write(url))}</div>
`,
)}</div>
</div>`
}

/** As it can be written within quotes of any of the languages: whatever could end them is encoded. */
function callUrl(baseUrl: string, path: string): string {
  return (apiAddress(baseUrl) + path).replace(unsafe, (character) => encodeUnsafe(character))
}

function writeTypeScript(url: string): string {
  return `const answer = await fetch(
  '${url}',
  { headers: { Authorization: 'Bearer YOUR_API_KEY' } },
)
console.log(await answer.json())`
}

function writePython(url: string): string {
  return `import json
from urllib.request import Request, urlopen

request = Request(
    '${url}',
    headers={'Authorization': 'Bearer YOUR_API_KEY'},
)
with urlopen(request) as answer:
    print(json.load(answer))`
}

function encodeUnsafe(character: string): string {
  return character === "'" ? '%27' : encodeURIComponent(character.toWellFormed())
}

/** The caption names the resource; the address itself stands below it. */
function shortened(path: string): string {
  return path.split('?', 1)[0] ?? path
}

const unsafe = /[^\w.~:/?#[\]@!$&()*+,;=%-]/gu
