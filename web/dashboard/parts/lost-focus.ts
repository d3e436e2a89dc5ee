// Restores the focus when the focused element was removed, for example a button in a deleted row. Otherwise keyboard
// users would start at the top of the page again.
import { useRef } from 'preact/hooks'

/** `ref` is for the element that takes the focus; it needs a tabIndex. Call `settle` after the change was requested. */
export function useLostFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const settle = () => {
    // Waits two frames: the change is rendered in the first.
    requestAnimationFrame(() => requestAnimationFrame(() => catchFocus(ref.current)))
  }
  return { ref, settle }
}

function catchFocus(element: HTMLElement | null): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body) element?.focus()
}
