// Copies text to the clipboard, on plain HTTP too, where browsers have no Clipboard API.

/** Returns false when the browser refuses both methods, so that the caller can tell the user. */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      // The Clipboard API is not allowed here; execCommand may be.
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.setAttribute('readonly', '')
  area.className = 'unseen'
  // While a dialog is open, nothing outside of it can be selected.
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
