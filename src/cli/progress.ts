// Shows the progress of a long command on stderr: a bar on a terminal, or a line per second if stderr is a file or a
// pipe.
import { grouped } from './catalogue-texts.ts'

interface Step {
  readonly label: string
  readonly rows: number
  readonly done: number
  /** The total; undefined if it is unknown, as for a pipe. */
  readonly whole: number | undefined
}

const barWidth = 24
const redrawMs = 100
const lineMs = 1_000
const clearLine = '\r\x1b[2K'

export class Progress {
  readonly #isTerminal = process.stderr.isTTY === true
  readonly #startedMs = performance.now()
  #toldMs = performance.now()
  #isDrawn = false

  show(step: Step): void {
    // The last step needs no line: the result follows at once.
    if (!this.#isTerminal && step.done === step.whole) return
    const nowMs = performance.now()
    if (nowMs - this.#toldMs < (this.#isTerminal ? redrawMs : lineMs)) return
    this.#toldMs = nowMs
    const text = this.#describe(step, (nowMs - this.#startedMs) / 1000)
    // Cut to the terminal's width: a wrapped line cannot be redrawn.
    const widthMax = (process.stderr.columns ?? text.length + 1) - 1
    process.stderr.write(this.#isTerminal ? `${clearLine}${text.slice(0, widthMax)}` : `${text}\n`)
    this.#isDrawn = this.#isTerminal
  }

  /** Must be called before anything else is written to the terminal. */
  clear(): void {
    if (this.#isDrawn) process.stderr.write(clearLine)
    this.#isDrawn = false
  }

  #describe({ label, rows, done, whole }: Step, seconds: number): string {
    const share = whole === undefined || whole === 0 ? undefined : Math.min(1, done / whole)
    const rate = rows / seconds
    const parts = [`${grouped(rows)} rows`, `${grouped(Math.round(rate))}/s`]
    if (share !== undefined && share > 0) parts.push(`${timeLeft((seconds / share) * (1 - share))} left`)
    const bar = share === undefined || !this.#isTerminal ? '' : ` ${drawBar(share)}`
    return `${label}${bar}  ${parts.join('  ')}`
  }
}

function drawBar(share: number): string {
  const full = Math.round(share * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(Math.floor(share * 100)).padStart(3)} %`
}

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`
}
