// The script of all public pages, which also work without it: copy buttons and times in the reader's time zone. A
// script that only one page needs is loaded by that page alone.
import { showCopyButtons } from './copy-buttons.ts'
import { localTime, utcTime } from './local-time.ts'
import { deleteKey } from './stored-key.ts'

showCopyButtons(document)

for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
  time.title = utcTime(time.dateTime)
  time.textContent = localTime(time.dateTime)
}

const search = document.querySelector<HTMLInputElement>('input[data-suggest]')
if (search !== null) void import('./suggest-box.ts').then(({ suggestBox }) => suggestBox(search))

const filter = document.querySelector<HTMLFormElement>('form[data-live]')
if (filter !== null) void import('./live-filter.ts').then(({ updateLive }) => updateLive(filter))

// A sign-in or sign-up form means that the current user may not be the one who created the key stored in this tab.
if (document.querySelector('[data-forget-key]') !== null) deleteKey()
