// Stores responses of the service on disk and reads them back for the bare server, which replays them. One file
// contains all bodies; a JSON file contains the offset, length and headers of each.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Answer } from '../measure/serving-process.ts'

export interface Recorded {
  readonly headers: Record<string, string>
  readonly body: Buffer
}

interface Place {
  readonly headers: Record<string, string>
  readonly start: number
  readonly length: number
}

/** Headers that node:http sets by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

export class Recorder {
  readonly #directory: string
  readonly #bodies: number
  readonly #places: Place[] = []
  #end = 0

  constructor(directory: string) {
    this.#directory = directory
    this.#bodies = openSync(bodiesIn(directory), 'w')
  }

  add({ headers, body }: Answer): void {
    const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name))
    this.#places.push({
      headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
      start: this.#end,
      length: body.length,
    })
    writeSync(this.#bodies, body)
    this.#end += body.length
  }

  /** Returns the body of median length. */
  finish(): Buffer {
    closeSync(this.#bodies)
    writeFileSync(placesIn(this.#directory), JSON.stringify(this.#places))
    const byLength = readRecording(this.#directory)
      .map(({ body }) => body)
      .sort((one, other) => one.length - other.length)
    return byLength[Math.floor(byLength.length / 2)] ?? Buffer.alloc(0)
  }
}

export function readRecording(directory: string): Recorded[] {
  const bodies = readFileSync(bodiesIn(directory))
  const places: Place[] = JSON.parse(readFileSync(placesIn(directory), 'utf8'))
  return places.map(({ headers, start, length }) => ({
    headers,
    body: bodies.subarray(start, start + length),
  }))
}

function bodiesIn(directory: string): string {
  return path.join(directory, 'bodies')
}

function placesIn(directory: string): string {
  return path.join(directory, 'places.json')
}
