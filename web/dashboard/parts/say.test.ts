import { afterEach, expect, test } from 'vitest'
import { openPlace, say } from './say.ts'

const closes: (() => void)[] = []

afterEach(() => {
  say('')
  for (const close of closes.splice(0)) close()
})

function open() {
  const place = { text: '', close: () => {} }
  place.close = openPlace((text) => {
    place.text = text
  })
  closes.push(place.close)
  return place
}

test('a message is shown only in the topmost place', () => {
  const page = open()
  say('The key is copied.')
  expect(page.text).toBe('The key is copied.')
  const dialog = open()
  expect([page.text, dialog.text]).toEqual(['', 'The key is copied.'])
  say('The key is revoked.')
  expect([page.text, dialog.text]).toEqual(['', 'The key is revoked.'])
})

test('a message in a dialog moves to the place below when the dialog closes', () => {
  const page = open()
  const dialog = open()
  say('The webhook is deleted.')
  dialog.close()
  closes.pop()
  expect(page.text).toBe('The webhook is deleted.')
})
