// In charge of a live region: what has just changed is seen there for a moment and read out. There is one below the page,
// and one in each dialog.
import { useEffect, useState } from 'preact/hooks'
import { openPlace } from './say.ts'

export function Said() {
  const [text, setText] = useState('')
  // After it is on the page: only what changes in a region that is there is read out.
  useEffect(() => openPlace(setText), [])
  return (
    <p class="said" role="status" aria-live="polite">
      {text !== '' && <span>{text}</span>}
    </p>
  )
}
