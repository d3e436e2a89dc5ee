// In charge of what a script adds to the docs: the reader's key in the examples, and calls from the reference.
import { fillInKey } from './docs-key.ts'
import './page.ts'

fillInKey()

for (const part of document.querySelectorAll<HTMLDetailsElement>('details[data-try]')) {
  part.hidden = false
  // Most readers never open one, so its code comes with the first that is.
  part.addEventListener('toggle', () => void import('./try-it.ts').then(({ openTry }) => openTry(part)), {
    once: true,
  })
}
