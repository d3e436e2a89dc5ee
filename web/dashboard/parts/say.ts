// Shows a message about what just changed, for a moment and in one place at a time. An open dialog makes the page
// below it inert, so a dialog has its own place; when it closes, its message moves to the place below.

type Show = (text: string) => void

const shownMs = 5_000

/** The open places; the last one is on top and shows the message. */
const places: Show[] = []
let said = ''
let timer: ReturnType<typeof setTimeout> | undefined

export function say(text: string): void {
  said = text
  clearTimeout(timer)
  timer = text === '' ? undefined : setTimeout(() => say(''), shownMs)
  tell()
}

/** Adds a place on top of the others. Returns a function that removes it. */
export function openPlace(show: Show): () => void {
  places.push(show)
  tell()
  return () => {
    places.splice(places.indexOf(show), 1)
    tell()
  }
}

function tell(): void {
  for (const show of places) show(show === places.at(-1) ? said : '')
}
