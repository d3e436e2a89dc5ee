// Shows the API call that returns what a page shows, in three languages, each ready to copy and run. The language is
// chosen with radio buttons and CSS, so it works without a script.

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

/** `path` is relative to /api/v1, with its query: `/watches?per_page=1`. `idPrefix` must be unique on the page. */
export function apiCall(idPrefix: string, baseUrl: string, path: string): Html {
  const url = callUrl(baseUrl, path)
  return html`<div class="call" role="group" aria-label="The API call for this view">
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

/** The URL with every character encoded that could end a quoted string in any of the languages. */
function callUrl(baseUrl: string, path: string): string {
  return (apiAddress(baseUrl) + path).replace(unsafe, (character) => encodeUnsafe(character))
}

function writeTypeScript(url: string): string {
  return `const response = await fetch(
  '${url}',
  { headers: { Authorization: 'Bearer YOUR_API_KEY' } },
)
console.log(await response.json())`
}

function writePython(url: string): string {
  return `import json
from urllib.request import Request, urlopen

request = Request(
    '${url}',
    headers={'Authorization': 'Bearer YOUR_API_KEY'},
)
with urlopen(request) as response:
    print(json.load(response))`
}

function encodeUnsafe(character: string): string {
  return character === "'" ? '%27' : encodeURIComponent(character.toWellFormed())
}

/** The path without its query, for the caption; the code below has the whole URL. */
function shortened(path: string): string {
  return path.split('?', 1)[0] ?? path
}

const unsafe = /[^\w.~:/?#[\]@!$&()*+,;=%-]/gu
