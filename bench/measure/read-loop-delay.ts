// Reads what loop-delay.ts prints in the measured server.
import { fileURLToPath } from 'node:url'

export interface LoopDelay {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Flags of Node that make the server print its delays. */
export const loopDelayFlags = ['--import', fileURLToPath(new URL('./loop-delay.ts', import.meta.url))]

const line = /^LOOP (\{.*\})$/gm

/** The delay with the most of `by` in a part of the output. */
export function longestDelay(output: string, by: keyof LoopDelay = 'wallMs'): LoopDelay {
  const told = [...output.matchAll(line)].map(([, json = '']): LoopDelay => JSON.parse(json))
  return told.sort((one, other) => other[by] - one[by])[0] ?? { wallMs: Number.NaN, cpuMs: Number.NaN }
}
