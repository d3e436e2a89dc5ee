// The script of the docs pages: fills the reader's key into the examples and shows the "Try it" forms of the reference.
import { fillInKey } from './docs-key.ts'
import './page.ts'

fillInKey()

for (const part of document.querySelectorAll<HTMLDetailsElement>('details[data-try]')) {
  part.hidden = false
  // Most readers never open a form, so its code is loaded when the first one is opened.
  part.addEventListener('toggle', () => void import('./try-it.ts').then(({ openTry }) => openTry(part)), {
    once: true,
  })
}
