// In charge of the buttons that copy what stands beside them: hidden until there is a script that makes them work.
import { copyText } from './copy-text.ts'

const saidMs = 2_000

/** To be called once for the same buttons. `data-copy` names the element whose text is meant. */
export function showCopyButtons(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
    const source = document.getElementById(button.dataset.copy ?? '')
    if (source !== null) copyOnClick(button, source)
  }
}

/** The button's first word is the one that is seen. */
export function copyOnClick(button: HTMLButtonElement, source: Element): void {
  const word = button.firstChild ?? button
  // Taken before any click: during the next two seconds it says something else.
  const name = word.textContent
  let timer: ReturnType<typeof setTimeout> | undefined
  button.addEventListener('click', async () => {
    const isCopied = await copyText(source.textContent ?? '')
    // Read out as well: the button is a live region.
    word.textContent = isCopied ? 'Copied' : 'Press Ctrl+C'
    if (!isCopied) window.getSelection()?.selectAllChildren(source)
    clearTimeout(timer)
    timer = setTimeout(() => {
      word.textContent = name
    }, saidMs)
  })
}
