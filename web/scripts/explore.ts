// The script of the explorer, which also works without it: typing and clicking update the list in place. It fetches the
// ordinary page from the server and takes the list and the facets out of it. On any error the browser navigates to the
// URL instead.
import { carryTicks, showTicks } from './compare-ticks.ts'
import { addressOf, typedMs } from './form-address.ts'

/** The elements that are replaced. The rest of the page stays, and so does the focus if it is there. */
const replacedIds = ['results', 'facets']

const place = document.querySelector<HTMLElement>('[data-explore]')
if (place !== null) start(place)

function start(explorer: HTMLElement): void {
  const load = openLoader(explorer)
  let timer: ReturnType<typeof setTimeout> | undefined
  explorer.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || !isPlainClick(event) || !isOwn(link)) return
    event.preventDefault()
    const isPaging = link.closest('.pager') !== null
    void load(link.href, 'push').then(() => isPaging && explorer.scrollIntoView())
  })
  explorer.addEventListener('submit', (event) => {
    const { target: form } = event
    if (!(form instanceof HTMLFormElement) || new URL(form.action).pathname !== location.pathname) return
    event.preventDefault()
    clearTimeout(timer)
    void load(addressOf(form), 'push')
  })
  explorer.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'search' || target.form === null) return
    const { form } = target
    clearTimeout(timer)
    // The input has no letter or digit yet, so there is nothing to search for.
    if (target.value.trim() !== '' && !/[\p{L}\p{N}]/u.test(target.value)) return
    timer = setTimeout(() => void load(addressOf(form), 'replace'), typedMs)
  })
  document.addEventListener('click', ({ target }) => closeMenus(target))
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && closeMenus(null))
  showTicks(explorer)
}

type History = 'push' | 'replace' | 'none'

/** Returns a function that loads and shows a URL. A new call aborts the one in flight, so the latest URL wins. */
function openLoader(explorer: HTMLElement): (address: string, history: History) => Promise<void> {
  let asking: AbortController | undefined
  let shown = withoutHash(location.href)
  // popstate also fires for jumps within the page.
  window.addEventListener('popstate', () => {
    if (withoutHash(location.href) !== shown) void load(location.href, 'none')
  })
  explorer.addEventListener('change', ({ target }) => {
    if (!(target instanceof Element) || target.closest('.tick') === null) return
    carryTicks(explorer)
    shown = withoutHash(location.href)
  })
  return load

  async function load(address: string, history: History): Promise<void> {
    asking?.abort()
    asking = new AbortController()
    const { signal } = asking
    const results = document.getElementById('results')
    results?.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(address, { signal, headers: { accept: 'text/html' } })
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
      // A half-typed search may be invalid: keep showing the old list until the form is submitted.
      if (!answer.ok && history === 'replace') return results?.removeAttribute('aria-busy')
      if (!answer.ok || !replacedIds.every((id) => next.getElementById(id) !== null)) {
        return location.assign(address)
      }
      if (history === 'push') window.history.pushState(null, '', answer.url)
      if (history === 'replace') window.history.replaceState(null, '', answer.url)
      shown = withoutHash(location.href)
      show(explorer, next, history)
    } catch {
      if (!signal.aborted) location.assign(address)
    }
  }
}

function show(explorer: HTMLElement, next: Document, history: History): void {
  const kept = rememberPlace()
  for (const id of replacedIds) {
    const part = next.getElementById(id)
    if (part !== null) document.getElementById(id)?.replaceWith(document.adoptNode(part))
  }
  for (const code of next.querySelectorAll('.call code[id]')) {
    const shown = document.getElementById(code.id)
    if (shown !== null) shown.textContent = code.textContent
  }
  copyForm(explorer, next, history)
  replaceText('.filters-label', next)
  document.title = next.title
  const said = document.getElementById('said')
  if (said !== null) said.textContent = document.getElementById('count')?.textContent ?? ''
  restorePlace(kept)
  showTicks(explorer)
}

/** Updates the search form's hidden `keep` field, and its text unless the user is typing it. */
function copyForm(explorer: HTMLElement, next: Document, history: History): void {
  const form = explorer.querySelector<HTMLFormElement>('form.search')
  const nextForm = next.querySelector<HTMLFormElement>('form.search')
  if (form === null || nextForm === null) return
  form.querySelector('input[name="keep"]')?.remove()
  const kept = nextForm.querySelector('input[name="keep"]')
  if (kept !== null) form.prepend(document.adoptNode(kept))
  const [field, nextField] = [form, nextForm].map((one) => one.querySelector<HTMLInputElement>('[name="q"]'))
  if (field && nextField && history !== 'replace') field.value = nextField.value
}

function replaceText(selector: string, next: Document): void {
  const [shown, wanted] = [document.querySelector(selector), next.querySelector(selector)]
  if (shown !== null && wanted !== null) shown.replaceChildren(...wanted.childNodes)
}

interface Kept {
  /** The name of the focused element, if it is about to be replaced. */
  readonly focused: string | undefined
  readonly open: ReadonlySet<string>
}

/** Elements are matched across a replacement by `data-keep` or their id. */
function rememberPlace(): Kept {
  const open = [...document.querySelectorAll<HTMLElement>('.facets details[open]')].map(nameOf)
  const { activeElement } = document
  const isReplaced = replacedIds.some((id) => document.getElementById(id)?.contains(activeElement))
  const focused = isReplaced && activeElement instanceof HTMLElement ? nameOf(activeElement) : undefined
  return { focused, open: new Set(open) }
}

function restorePlace({ focused, open }: Kept): void {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('.facets details')) {
    if (open.has(nameOf(details))) details.open = true
  }
  if (focused === undefined) return
  const named = [...document.querySelectorAll<HTMLElement>('[data-keep], [id]')]
  const again = focused === '' ? undefined : named.find((one) => nameOf(one) === focused)
  // If the focused element is gone, the focus moves to the list.
  const target = again ?? document.getElementById('results')
  target?.focus({ preventScroll: true })
}

function nameOf(element: HTMLElement): string {
  return element.dataset.keep ?? element.id
}

function closeMenus(target: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false
  }
}

function withoutHash(address: string): string {
  return address.split('#', 1)[0] ?? address
}

function isOwn(link: HTMLAnchorElement): boolean {
  const url = new URL(link.href)
  return url.origin === location.origin && url.pathname === location.pathname && url.hash === ''
}

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}
