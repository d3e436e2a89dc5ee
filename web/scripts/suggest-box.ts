// Turns a search field into a combobox: lists what the text may become, as one types. Arrow keys choose, Enter opens the
// chosen list of watches, Escape closes. On any error the field stays a plain search field.
import { element } from './element.ts'

interface Suggestion {
  readonly text: string
  /** What the suggestion is: a brand, a collection of a brand, a value of a spec key. */
  readonly about: string
  readonly count: string
  readonly href: string
}

const pauseMs = 120
const listId = 'suggestions'

export function suggestBox(field: HTMLInputElement): void {
  const list = element('ul', { id: listId, className: 'suggestions', hidden: true })
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  const said = element('p', { className: 'unseen' })
  said.setAttribute('role', 'status')
  field.after(list, said)
  for (const [name, value] of Object.entries(combobox)) field.setAttribute(name, value)
  let timer = 0
  let asking: AbortController | undefined
  let active = -1

  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(ask, pauseMs)
  })
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = list.children[active]
    if (step !== undefined && !list.hidden) {
      event.preventDefault()
      // Past either end, the field itself is active again.
      const places = list.children.length + 1
      choose(((active + 1 + step + places) % places) - 1)
    } else if (event.key === 'Enter' && !list.hidden && chosen !== undefined) {
      event.preventDefault()
      open(chosen)
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    }
  })
  field.addEventListener('blur', close)
  field.form?.addEventListener('submit', close)
  // Before the field loses its focus.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const option = event.target instanceof Element ? event.target.closest('[role="option"]') : null
    if (option !== null && event.button === 0) open(option)
  })

  async function ask(): Promise<void> {
    asking?.abort()
    asking = new AbortController()
    const text = field.value
    if (!/[\p{L}\p{N}]/u.test(text)) return close()
    try {
      const address = `${field.dataset.suggest}?q=${encodeURIComponent(text)}`
      const answer = await fetch(address, { signal: asking.signal })
      if (!answer.ok) return close()
      const { data } = (await answer.json()) as { data: Suggestion[] }
      if (document.activeElement === field && field.value === text) show(data)
    } catch {
      // The field is still a plain search field.
    }
  }

  function show(suggestions: readonly Suggestion[]): void {
    list.replaceChildren(...suggestions.map(optionOf))
    active = -1
    list.hidden = suggestions.length === 0
    field.setAttribute('aria-expanded', String(!list.hidden))
    field.removeAttribute('aria-activedescendant')
    said.textContent = suggestions.length === 1 ? '1 suggestion' : `${suggestions.length} suggestions`
  }

  function choose(next: number): void {
    list.children[active]?.setAttribute('aria-selected', 'false')
    active = next
    const option = list.children[active]
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option === undefined) field.removeAttribute('aria-activedescendant')
    else field.setAttribute('aria-activedescendant', option.id)
  }

  function close(): void {
    clearTimeout(timer)
    asking?.abort()
    list.hidden = true
    active = -1
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
    said.textContent = ''
  }
}

const combobox = {
  role: 'combobox',
  'aria-autocomplete': 'list',
  'aria-expanded': 'false',
  'aria-controls': listId,
}

function optionOf({ text, about, count, href }: Suggestion, at: number): HTMLLIElement {
  const option = element(
    'li',
    { id: `${listId}-${at}` },
    element('span', { className: 'suggestion-text' }, text),
    element('span', { className: 'suggestion-about' }, about),
    element('span', { className: 'suggestion-count' }, count),
  )
  option.dataset.href = href
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  return option
}

function open(option: Element): void {
  if (option instanceof HTMLElement && option.dataset.href !== undefined) location.assign(option.dataset.href)
}
