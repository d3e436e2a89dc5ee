// Shows the copy buttons, which are hidden until this script runs, and makes them copy the text next to them.
import { copyText } from './copy-text.ts'

const saidMs = 2_000

/** Call only once for the same buttons. `data-copy` is the id of the element whose text is copied. */
export function showCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
    const source = document.getElementById(button.dataset.copy ?? '')
    if (source !== null) copyOnClick(button, source)
  }
}

/** Changes only the button's first child, its visible label; the rest is for screen readers. */
export function copyOnClick(button: HTMLButtonElement, source: Element): void {
  const word = button.firstChild ?? button
  // Read before any click: for two seconds after a click the label is a different one.
  const name = word.textContent
  let timer: ReturnType<typeof setTimeout> | undefined
  button.addEventListener('click', async () => {
    const isCopied = await copyText(source.textContent ?? '')
    // Screen readers announce the change: the button is a live region.
    word.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    if (!isCopied) window.getSelection()?.selectAllChildren(source)
    clearTimeout(timer)
    timer = setTimeout(() => {
      word.textContent = name
    }, saidMs)
  })
}
