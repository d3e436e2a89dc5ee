// Renders a Markdown file of docs/ as HTML. A library parses the Markdown; this file writes the HTML of the site's
// design. Unknown tokens, above all HTML, are shown as text.
import { lexer, type Token, type Tokens } from 'marked'
import { copyBlock, table } from '../layout/block.ts'
import { type Child, type Html, html } from '../layout/html.ts'
import { highlightJson } from '../layout/json.ts'
import { slugOf } from './slug.ts'

export interface Heading {
  readonly id: string
  readonly text: string
  readonly depth: number
}

export interface DocPage {
  /** The text of the level-1 heading, which is not part of the body. */
  readonly title: string
  /** HTML. */
  readonly body: string
  readonly headings: readonly Heading[]
}

export interface DocPageOptions {
  /** Maps a link to its URL on this site; undefined turns the link into plain text. */
  readonly linkTo: (href: string) => string | undefined
  /** HTML to insert at the end of a section, before its collapsed examples; by the id of the heading. */
  readonly additions?: ReadonlyMap<string, Html>
}

export function renderDocPage(text: string, options: DocPageOptions): DocPage {
  const writer = new DocPageWriter(options)
  const body = writer.write(lexer(text))
  return { title: writer.title, body: body.text, headings: writer.headings }
}

/** Headings of this level and below are examples: collapsed, with all that follows them. */
const foldedDepth = 4

class DocPageWriter {
  title = ''
  readonly headings: Heading[] = []
  readonly #linkTo: DocPageOptions['linkTo']
  readonly #additions: Map<string, Html>
  readonly #ids = new Set<string>()
  readonly #labels = new Set<string>()
  #codes = 0
  #isFolding = false

  constructor({ linkTo, additions = new Map() }: DocPageOptions) {
    this.#linkTo = linkTo
    this.#additions = new Map(additions)
  }

  write(tokens: readonly Token[]): Html {
    const parts: Child[] = []
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] as Token
      if (token.type !== 'heading') {
        parts.push(this.#block(token))
        continue
      }
      parts.push(this.#addition())
      if (token.depth < foldedDepth) parts.push(this.#heading(token as Tokens.Heading))
      else {
        const end = tokens.findIndex((one, next) => next > at && one.type === 'heading')
        const below = tokens.slice(at + 1, end === -1 ? undefined : end)
        parts.push(this.#folded(token as Tokens.Heading, below))
        at += below.length
      }
    }
    return html`${parts}${this.#addition()}`
  }

  #block(token: Token): Child {
    switch (token.type) {
      case 'paragraph':
        return html`<p>${this.#inline(token.tokens)}</p>\n`
      case 'text':
        return token.tokens === undefined ? token.text : this.#inline(token.tokens)
      case 'code':
        return this.#code(token as Tokens.Code)
      case 'table':
        return this.#table(token as Tokens.Table)
      case 'list':
        return this.#list(token as Tokens.List)
      case 'space':
        return undefined
      default:
        return html`<p>${token.raw}</p>\n`
    }
  }

  #heading({ depth, tokens, text }: Tokens.Heading): Child {
    const plain = plainText(tokens)
    if (depth === 1) {
      this.title = plain
      return undefined
    }
    this.#isFolding = false
    const id = this.#idOf(text)
    this.headings.push({ id, text: plain, depth })
    const link = html`<a class="anchor" href="#${id}">${this.#inline(tokens)}</a>`
    return depth === 2 ? html`<h2 id="${id}">${link}</h2>\n` : html`<h3 id="${id}">${link}</h3>\n`
  }

  /** The first example under a heading is open. */
  #folded({ tokens }: Tokens.Heading, below: readonly Token[]): Html {
    const isFirst = !this.#isFolding
    this.#isFolding = true
    return html`<details class="example"${isFirst && html` open`}>
<summary>${this.#inline(tokens)}</summary>
<div class="stack">
${below.map((token) => this.#block(token))}</div>
</details>
`
  }

  /** The addition of the last heading, returned only once. */
  #addition(): Html | undefined {
    const id = this.headings.at(-1)?.id ?? ''
    const addition = this.#additions.get(id)
    this.#additions.delete(id)
    return addition
  }

  #code({ text, lang = '' }: Tokens.Code): Html {
    const [language = '', ...words] = lang.split(' ')
    const label = words.join(' ') || (languages[language] ?? 'Text')
    this.#codes += 1
    return html`${copyBlock(`code-${this.#codes}`, label, colored(language, text))}\n`
  }

  #list({ ordered, start, items }: Tokens.List): Html {
    const written = items.map(({ tokens }) => html`<li>${tokens.map((token) => this.#block(token))}</li>\n`)
    if (!ordered) return html`<ul class="rules">\n${written}</ul>\n`
    const first = typeof start === 'number' && start !== 1 && html` start="${start}"`
    return html`<ol class="rules"${first}>\n${written}</ol>\n`
  }

  /** Columns that only add to another cell are shown below it, so that most tables have two columns and always fit. */
  #table({ header, rows }: Tokens.Table): Html {
    const names = header.map(({ tokens }) => plainText(tokens))
    const isWide = names.length > 2
    const placeOf = (at: number) => (isWide ? (asides[names[at] ?? ''] ?? 'own') : 'own')
    const own = names.flatMap((_, at) => (placeOf(at) === 'own' ? [at] : []))
    const written = rows.map((row) => {
      const below = (place: string) =>
        row.flatMap((cell, at) => (placeOf(at) === place ? [this.#aside(names[at] ?? '', cell)] : []))
      return own.map((at, column) => [
        this.#inline(row[at]?.tokens ?? []),
        column === 0 && below('first'),
        column === own.length - 1 && below('last'),
      ])
    })
    const columns = own.map((at) => ({ name: capital(names[at] ?? '') }))
    const shown = table(this.#labelOf(columns), columns, written)
    return html`<div class="${own.length === 2 ? 'two-columns' : 'plans'}">${shown}</div>\n`
  }

  #aside(name: string, { text, tokens }: Tokens.TableCell): Child {
    if (text === '') return undefined
    const written = this.#inline(tokens)
    if (name === 'example') return html`<span class="sample">${written}</span>`
    return html`<span class="kind">${name === 'default' && 'default '}${written}</span>`
  }

  #inline(tokens: readonly Token[] = []): Child[] {
    return tokens.map((token) => {
      switch (token.type) {
        case 'text':
        case 'escape':
          return token.text
        case 'codespan':
          return html`<code>${token.text}</code>`
        case 'strong':
          return html`<strong>${this.#inline(token.tokens)}</strong>`
        case 'em':
          return html`<em>${this.#inline(token.tokens)}</em>`
        case 'link': {
          const address = this.#linkTo(token.href)
          const words = this.#inline(token.tokens)
          return address === undefined ? words : html`<a href="${address}">${words}</a>`
        }
        default:
          return token.raw
      }
    })
  }

  #idOf(heading: string): string {
    const slug = slugOf(heading)
    let id = slug
    for (let count = 1; this.#ids.has(id); count++) id = `${slug}-${count}`
    this.#ids.add(id)
    return id
  }

  /** A table's label is the heading above it; a second table under the same heading adds its columns. */
  #labelOf(columns: readonly { name: string }[]): string {
    const heading = this.headings.at(-1)?.text ?? this.title
    const longer = `${heading}: ${columns.map(({ name }) => name).join(', ')}`
    const label = this.#labels.has(heading) ? longer : heading
    this.#labels.add(label)
    return label
  }
}

/** Columns that are shown below the first or the last cell of the row. */
const asides: Readonly<Record<string, 'first' | 'last' | undefined>> = {
  type: 'first',
  default: 'first',
  example: 'last',
  when: 'last',
}

const languages: Readonly<Record<string, string | undefined>> = {
  sh: 'Shell',
  json: 'JSON',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  http: 'HTTP',
}

/** Highlights JSON; of an HTTP response, the part after the headers. */
function colored(language: string, text: string): Child {
  if (language === 'json') return highlightJson(text)
  const head = text.indexOf('\n\n') + 2
  if (language !== 'http' || head < 2) return text
  return [text.slice(0, head), highlightJson(text.slice(head))]
}

function plainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => ('tokens' in token ? plainText(token.tokens) : 'text' in token ? token.text : token.raw))
    .join('')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
