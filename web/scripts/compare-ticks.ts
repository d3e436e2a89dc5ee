// Keeps the watches selected for comparison when scripts run: each tick is written into the page's URL and into
// every link and form of the explorer at once, so the selection survives navigation.
import { comparedMax, comparedMin, tickedText } from './ticked-text.ts'

const name = 'compare'

/** Call after a checkbox changed. */
export function carryTicks(explorer: HTMLElement): void {
  const ids = tickedIds(explorer)
  history.replaceState(history.state, '', withTicks(location.href, ids))
  for (const link of document.querySelectorAll('main a[href^="/explore"]')) {
    const own = link.parentElement?.querySelector<HTMLInputElement>(`:scope > input[name="${name}"]`)?.value
    const others = ids.filter((id) => id !== own)
    link.setAttribute('href', withTicks(link.getAttribute('href') ?? '', others))
  }
  for (const form of explorer.querySelectorAll<HTMLFormElement>('form.search, form.ranges')) keep(form, ids)
  showTicks(explorer)
}

/** Updates the compare bar: the number of selected watches, and the button, which is enabled from two watches on. */
export function showTicks(explorer: HTMLElement): void {
  const count = tickedIds(explorer).length
  const text = explorer.querySelector('[data-ticked]')
  const said = tickedText(count)
  if (text !== null && text.textContent !== said) text.textContent = said
  const button = explorer.querySelector<HTMLButtonElement>('[data-compare]')
  if (button !== null) button.disabled = count < comparedMin || count > comparedMax
  // Needed only without a script: with one, every tick is saved at once.
  const keepTicking = explorer.querySelector<HTMLButtonElement>('[data-keep-ticking]')
  if (keepTicking !== null) keepTicking.hidden = true
}

/** The selected ids, in the order in which they were ticked. */
function tickedIds(explorer: HTMLElement): readonly string[] {
  const fields = explorer.querySelectorAll<HTMLInputElement>(`.compare-form input[name="${name}"]`)
  const ticked = [...fields].filter(({ type, checked }) => type === 'hidden' || checked)
  const ids = new Set(ticked.map(({ value }) => value))
  const before = new URLSearchParams(location.search).get(name)?.split(',') ?? []
  return [...new Set([...before.filter((id) => ids.has(id)), ...ids])]
}

function keep(form: HTMLFormElement, ids: readonly string[]): void {
  const field = form.querySelector<HTMLInputElement>('input[name="keep"]') ?? document.createElement('input')
  Object.assign(field, { type: 'hidden', name: 'keep', value: withTicks(`?${field.value}`, ids).slice(1) })
  if (field.value === '') field.remove()
  else form.prepend(field)
}

/** Edits the query part by part, so the rest of the URL keeps its exact spelling. */
function withTicks(address: string, ids: readonly string[]): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(address) ?? []
  const parts = query.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`))
  if (ids.length > 0) parts.push(`${name}=${ids.join(',')}`)
  return path + (parts.length > 0 ? `?${parts.join('&')}` : '') + hash
}
