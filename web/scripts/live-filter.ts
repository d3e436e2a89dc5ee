// In charge of a form whose answer changes while one types: the page that the form asks for is fetched, and what it
// found is put in the place of what is shown. Whatever goes wrong is left to the button, which sends the form.
import { showCopyButtons } from './copy-buttons.ts'
import { addressOf, typedMs } from './form-address.ts'

/** `data-live` names the element that holds the answer; beside it stands one for what is read out of it. */
export function answerLive(form: HTMLFormElement): void {
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
      // What is being typed need not be a question yet.
      if (answer.ok) show(form, new DOMParser().parseFromString(text, 'text/html'), address)
    } catch {
      // The button is still there.
    }
  }
}

/** Whether somebody typed before the script was there. */
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
  // The rows and the call would be too much to be read out at every pause.
  const said = document.getElementById(`${id}-said`)
  if (said !== null) said.textContent = shown.querySelector('.count')?.textContent ?? ''
  history.replaceState(null, '', address)
}
