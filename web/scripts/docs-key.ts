// Fills the reader's API key into the examples of the docs. The service stores keys as digests only, so a key is
// available only if it was created in this tab: in the dashboard, or here, where it expires after a day.
import { findKey as findKeyOf, deleteKey as forgetKept, storeKey } from './stored-key.ts'

const placeholder = 'YOUR_API_KEY'
const keyName = 'Docs'
const keyDays = 1
const offerName = 'Fill in a key'
const heard: (() => void)[] = []

/** Text nodes that contain the placeholder, with their original text. */
const holes: { readonly text: Text; readonly before: string }[] = []

/** The bar's original content, which signed-out readers see. */
let asItCame: readonly Node[] = []

export function fillInKey(): void {
  asItCame = [...(document.querySelector('[data-docs-key]')?.childNodes ?? [])]
  for (const block of document.querySelectorAll('.docs-text pre code')) findHoles(block)
  show()
}

export function findKey(): string | undefined {
  const account = whoReads()
  return account === undefined ? undefined : findKeyOf(account)
}

/** Call when the API rejected the key. */
export function deleteKey(): void {
  forgetKept()
  show('That key is no longer valid.')
}

/** Calls `hear` whenever the key changes or is removed. */
export function onKeyChange(hear: () => void): void {
  heard.push(hear)
}

/** Shows a button in `box` that creates a key, if the reader is signed in and has no key in this tab. */
export function offerKey(box: HTMLElement): void {
  const offer = () => {
    const canMake = isSignedIn() && findKey() === undefined
    box.replaceChildren(...(canMake ? [button(offerName, () => makeKey(box))] : []))
  }
  onKeyChange(offer)
  offer()
}

function isSignedIn(): boolean {
  return (whoReads() ?? '') !== ''
}

/** The reader's email: empty if signed out, undefined on a page without examples, which does not say. */
function whoReads(): string | undefined {
  return document.querySelector<HTMLElement>('[data-docs-key]')?.dataset.docsKey
}

function findHoles(block: Element): void {
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node as Text
    if (text.data.includes(placeholder)) holes.push({ text, before: text.data })
  }
}

function show(said = ''): void {
  const key = findKey()
  // A function, because in a replacement string `$&` has a special meaning.
  for (const { text, before } of holes) {
    const filled = before.replaceAll(placeholder, () => key ?? placeholder)
    // Assigning even the same text would cause a new layout.
    if (text.data !== filled) text.data = filled
  }
  const bar = document.querySelector<HTMLElement>('[data-docs-key]')
  if (bar !== null) showBar(bar, key, said)
  for (const hear of heard) hear()
}

function showBar(bar: HTMLElement, key: string | undefined, said: string): void {
  if (key !== undefined) {
    const name = document.createElement('code')
    name.textContent = shorten(key)
    bar.replaceChildren('Examples use your key ', name, ' · ', button('Use the placeholder', usePlaceholder))
    return
  }
  const before = said === '' ? '' : `${said} `
  if (isSignedIn()) {
    const offer = button(offerName, () => makeKey(bar))
    bar.replaceChildren(before, offer, `: creates a key named ${keyName} that expires in a day.`)
  } else if (before !== '' || bar.firstChild !== asItCame[0]) bar.replaceChildren(before, ...asItCame)
}

function usePlaceholder(): void {
  forgetKept()
  show()
  document.querySelector<HTMLElement>('[data-docs-key] :is(button, a)')?.focus()
}

/** Shows the progress and any error in `box`. */
async function makeKey(box: HTMLElement): Promise<void> {
  box.replaceChildren('Creating a key…')
  const answer = await fetch('/api/account/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: keyName, expires_in_days: keyDays }),
  }).catch(() => undefined)
  const made = answer?.ok ? await answer.json().catch(() => undefined) : undefined
  const key: unknown = made?.data?.key
  if (typeof key !== 'string') {
    box.replaceChildren(
      await refusalOf(answer),
      ' ',
      button('Try again', () => makeKey(box)),
    )
    return
  }
  if (!storeKey(whoReads() ?? '', key)) {
    box.replaceChildren('Your browser blocks storage for this site, so the key cannot be filled in.')
    return
  }
  show()
  const next = box.querySelector('button') ?? box.closest('form')?.querySelector('button')
  next?.focus()
}

async function refusalOf(answer: Response | undefined): Promise<string> {
  if (answer === undefined) return 'The service cannot be reached.'
  if (answer.status === 401) return 'You are signed out. Sign in again, then come back.'
  const told = await answer.json().catch(() => undefined)
  return `The key was not created: ${told?.message ?? `the service returned status ${answer.status}.`}`
}

function button(name: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'link-button'
  made.textContent = name
  made.addEventListener('click', act)
  return made
}

/** `wd_live_…abcd`. */
function shorten(key: string): string {
  return `${key.slice(0, 8)}…${key.slice(-4)}`
}
