// In charge of what has just changed being said: for a moment, and in one place at a time. An open dialog makes the page
// below it inert, so it is a place of its own; what was said in it goes on below when it closes.

type Show = (text: string) => void

const shownMs = 5_000

/** The one above all others speaks. */
const places: Show[] = []
let said = ''
let timer: ReturnType<typeof setTimeout> | undefined

export function say(text: string): void {
  said = text
  clearTimeout(timer)
  timer = text === '' ? undefined : setTimeout(() => say(''), shownMs)
  tell()
}

/** Puts a place above those there are; to be called again when it goes. */
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
