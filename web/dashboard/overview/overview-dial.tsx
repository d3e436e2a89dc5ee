// Draws the remaining quota like the power reserve indicator of a watch: full on the right, empty on the left.

interface ReserveProps {
  readonly remaining: number
  readonly limit: number
}

/** Degrees to either side of the top. */
const sweep = 120
const marks = 20
const longEvery = 5
const radius = 100

export function ReserveDial({ remaining, limit }: ReserveProps) {
  const share = limit > 0 ? Math.min(1, Math.max(0, remaining / limit)) : 0
  const label = `${remaining.toLocaleString()} of ${limit.toLocaleString()} requests left today`
  return (
    <svg class="reserve" viewBox="-120 -116 240 222" role="img" aria-label={label}>
      <path class="reserve-track" d={arc()} pathLength="100" />
      <path class="reserve-left" d={arc()} pathLength="100" stroke-dasharray={`${share * 100} 200`} />
      {Array.from({ length: marks + 1 }, (_, at) => (
        <path
          key={at}
          class={at % longEvery === 0 ? 'reserve-long' : 'reserve-short'}
          d={at % longEvery === 0 ? 'M0 -90 V-78' : 'M0 -90 V-84'}
          transform={`rotate(${angleOf(at / marks)})`}
        />
      ))}
      <g class="reserve-hand" style={{ transform: `rotate(${angleOf(share)}deg)` }}>
        <path d="M-2.2 14 L-2.8 0 L-0.8 -74 L0.8 -74 L2.8 0 L2.2 14 Z" />
      </g>
      <circle class="reserve-pin" r="5" />
      <text class="reserve-figure" y="66">
        {remaining.toLocaleString()}
      </text>
      <text class="reserve-word" y="90">
        left today
      </text>
    </svg>
  )
}

function angleOf(share: number): number {
  return (share * 2 - 1) * sweep
}

/** The SVG path from empty to full. */
function arc(): string {
  const angle = (sweep * Math.PI) / 180
  const x = Math.sin(angle) * radius
  const y = -Math.cos(angle) * radius
  return `M${-x} ${y} A${radius} ${radius} 0 1 1 ${x} ${y}`
}
