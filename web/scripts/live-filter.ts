// Updates the results of a form while the user types: fetches the page that the form requests and replaces the shown
// results with those of that page. On any error the submit button still works.
import { showCopyButtons } from './copy-buttons.ts'
import { addressOf, typedMs } from './form-address.ts'

/** `data-live` is the id of the element with the results; the element `<id>-said` is announced to screen readers. */
export function updateLive(form: HTMLFormElement): void {
  let timer = 0
  let asking: AbortController | undefined
  form.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(ask, typedMs)
  })
  if (isFilledIn(form)) void ask()

  async function ask(): Promise<void> {
    asking?.abort()
    asking = new AbortController()
    const address = addressOf(form)
    try {
      const answer = await fetch(address, { signal: asking.signal })
      const text = await answer.text()
      // A half-typed query may be invalid: keep showing the old results.
      if (answer.ok) show(form, new DOMParser().parseFromString(text, 'text/html'), address)
    } catch {
      // The submit button still works.
    }
  }
}

/** Whether the user typed before the script was loaded. */
function isFilledIn(form: HTMLFormElement): boolean {
  const asSent = form.cloneNode(true) as HTMLFormElement
  asSent.reset()
  return addressOf(asSent) !== addressOf(form)
}

function show(form: HTMLFormElement, next: Document, address: string): void {
  const id = form.dataset.live ?? ''
  const [shown, found] = [document.getElementById(id), next.getElementById(id)]
  if (shown === null || found === null) return
  const chosen = shown.querySelector<HTMLInputElement>('input[type="radio"]:checked')?.id
  shown.replaceChildren(...document.adoptNode(found).childNodes)
  const again = chosen === undefined ? null : document.getElementById(chosen)
  if (again instanceof HTMLInputElement) again.checked = true
  showCopyButtons(shown)
  // Announce the count only: the rows and the call would be too long at every pause in typing.
  const said = document.getElementById(`${id}-said`)
  if (said !== null) said.textContent = shown.querySelector('.count')?.textContent ?? ''
  history.replaceState(null, '', address)
}
