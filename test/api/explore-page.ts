// Reads the explorer's pages as a user without JavaScript does: texts, links and forms.
import { expect } from 'vitest'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

export interface ShownPage {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** The text without tags. */
  readonly text: string
}

/** Follows no redirect. */
export async function openPage(baseUrl: string, path: string, cookie = ''): Promise<ShownPage> {
  const answer = await fetch(baseUrl + path, { redirect: 'manual', headers: { accept: 'text/html', cookie } })
  const html = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    html,
    // Computed on demand, because few tests use it.
    get text() {
      return textOf(html)
    },
  }
}

export function textOf(html: string): string {
  return decodeEntities(html.replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ')
}

export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

/** The total that the page shows: `1–24 of 338 watches`. */
export function totalOf({ html }: ShownPage): number {
  const [, count = ''] = /id="count">([^<]*)</.exec(html) ?? []
  if (count === 'No watches') return 0
  const [, total = ''] = /([\d,]+) watch(?:es)?$/.exec(count) ?? []
  expect(total, `a count in ${count}`).not.toBe('')
  return Number(total.replaceAll(',', ''))
}

/** The code sample of an API call, as it would be copied. */
export function callOf({ html }: ShownPage, language: 'curl' | 'ts' | 'py'): string {
  const [, code = ''] = new RegExp(`<code id="call-${language}">([^<]*)</code>`).exec(html) ?? []
  return decodeEntities(code)
}

/** The first quoted URL in the code. */
export function addressIn(code: string): string {
  return /'(http[^']*)'/.exec(code)?.[1] ?? ''
}

export function hrefsOf(html: string): string[] {
  return [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => decodeEntities(href))
}

export interface ShownFacet {
  readonly label: string
  readonly values: readonly { href: string; text: string; count: number; isChosen: boolean }[]
}

export function facetsOf({ html }: ShownPage): ShownFacet[] {
  return [...html.matchAll(/<section class="facet">([\s\S]*?)<\/section>/g)].map(([, section = '']) => ({
    label: decodeEntities(/<h3>([^<]*)</.exec(section)?.[1] ?? ''),
    values: [...section.matchAll(/<a class="facet-value"([^>]*)>([\s\S]*?)<\/a>/g)].map(
      ([, tag = '', body = '']) => ({
        href: hrefsOf(tag)[0] ?? '',
        text: decodeEntities(/facet-text">([^<]*)</.exec(body)?.[1] ?? ''),
        count: Number((/facet-count">([\d,]*)</.exec(body)?.[1] ?? '').replaceAll(',', '')),
        isChosen: tag.includes('aria-current'),
      }),
    ),
  }))
}

/** Checks what holds for every page: nothing that the CSP blocks, no duplicate id, every label refers to a field. */
export function expectWhole({ html }: ShownPage): void {
  expect(html.replaceAll(/<script type="module" src="\/assets\/[\w.-]+"><\/script>/g, '')).not.toMatch(
    /<script|<style|<iframe|(?:href|src|action)="\s*javascript:/i,
  )
  expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|style)=/i)
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  const known = new Set(ids)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  const named = [...html.matchAll(/\s(?:for|aria-labelledby|aria-describedby)="([^"]+)"/g)]
  expect(named.map(([, id]) => id).filter((id) => !known.has(id))).toEqual([])
  expect(html.match(/<h1/g)).toHaveLength(1)
}
