// Draws text as a QR code: dark on white even in dark mode, because not every camera reads inverted codes. The
// encoder is loaded only when needed.
import { useEffect, useState } from 'preact/hooks'

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** The width of the empty margin that QR readers need, in modules. */
const quietZone = 4

export function QrCode({ text, label }: QrCodeProps) {
  const [drawn, setDrawn] = useState<{ path: string; size: number } | 'failed'>()
  useEffect(() => {
    draw(text)
      .then(setDrawn)
      .catch(() => setDrawn('failed'))
  }, [text])
  if (drawn === 'failed') return <p class="note">The QR code could not be loaded. Type the secret instead.</p>
  if (drawn === undefined) return <div class="qr-code" role="status" aria-label="Loading the QR code" />
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${drawn.size} ${drawn.size}`}>
      <path d={drawn.path} shape-rendering="crispEdges" />
    </svg>
  )
}

async function draw(text: string): Promise<{ path: string; size: number }> {
  const { encode } = await import('uqr')
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return { path: squares.join(''), size }
}
