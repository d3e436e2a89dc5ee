// A live region that shows a message for a moment and lets screen readers announce it. There is one below the page
// and one in each dialog.
import { useEffect, useState } from 'preact/hooks'
import { openPlace } from './say.ts'

export function Said() {
  const [text, setText] = useState('')
  // After the region is on the page: screen readers announce only changes in an existing region.
  useEffect(() => openPlace(setText), [])
  return (
    <p class="said" role="status" aria-live="polite">
      {text !== '' && <span>{text}</span>}
    </p>
  )
}
