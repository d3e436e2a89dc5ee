// In charge of putting a text on the clipboard, on plain http too, where browsers lack the modern way.

/** False where the browser refuses both ways; the caller then says so. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // Not allowed here: the old way may be.
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.className = 'unseen'
  // Inside an open dialog nothing outside of it can be selected.
  const host = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  host.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
