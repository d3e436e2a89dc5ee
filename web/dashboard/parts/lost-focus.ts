// In charge of the focus when what had it is gone from the page, a button of a row that was removed for instance:
// without it, who uses the keyboard would begin at the top again.
import { useRef } from 'preact/hooks'

/** `ref` is for what takes the focus, with a tabIndex; `settle` is called once the change is on the page, or about to. */
export function useLostFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const settle = () => {
    // Two frames: the first shows the change.
    requestAnimationFrame(() => requestAnimationFrame(() => catchFocus(ref.current)))
  }
  return { ref, settle }
}

function catchFocus(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body) element?.focus()
}
