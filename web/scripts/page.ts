// In charge of what a script adds to the public pages, all of which are whole without it: buttons that copy, times in
// the reader's own zone. What a single page needs beside it is loaded by that page alone.
import { showCopyButtons } from './copy-buttons.ts'
import { forgetKey } from './kept-key.ts'
import { localTime, utcTime } from './local-time.ts'

showCopyButtons(document)

for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
  time.title = utcTime(time.dateTime)
  time.textContent = localTime(time.dateTime)
}

const filter = document.querySelector<HTMLFormElement>('form[data-live]')
if (filter !== null) void import('./live-filter.ts').then(({ answerLive }) => answerLive(filter))

// Whoever is asked who they are is not who made the key that the tab may keep.
if (document.querySelector('[data-forget-key]') !== null) forgetKey()
