// Stores responses of the service on disk and reads them back for the bare server, which replays them. One file
// contains all bodies; a JSON file contains the offset, length, status and headers of each.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Answer } from '../measure/serving-process.ts'

interface Recorded {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: string[]
  readonly body: Buffer
}

interface Place extends Omit<Recorded, 'body'> {
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

  add({ status, rawHeaders, body }: Answer): void {
    const headers: string[] = []
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
      if (!ownHeaders.has(name.toLowerCase())) headers.push(name, value)
    }
    this.#places.push({ status, headers, start: this.#end, length: body.length })
    writeSync(this.#bodies, body)
    this.#end += body.length
  }

  finish(): void {
    closeSync(this.#bodies)
    writeFileSync(placesIn(this.#directory), JSON.stringify(this.#places))
  }
}

export function readRecording(directory: string): Recorded[] {
  const bodies = readFileSync(bodiesIn(directory))
  const places: Place[] = JSON.parse(readFileSync(placesIn(directory), 'utf8'))
  return places.map(({ start, length, ...rest }) => ({
    ...rest,
    body: bodies.subarray(start, start + length),
  }))
}

function bodiesIn(directory: string): string {
  return path.join(directory, 'bodies')
}

function placesIn(directory: string): string {
  return path.join(directory, 'places.json')
}
