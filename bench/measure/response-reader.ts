// Finds the end of each HTTP response on a connection, and checks its status. As lean as possible, because the load
// generator must not be slower than the server: it reads the status and Content-Length, and nothing else.

/** Only this much of a chunk is turned into a string, to find the end of the head. */
const headMaxBytes = 8_192

export class ResponseReader {
  readonly #status: string
  #head = ''
  #bodyLeft = 0

  constructor(status: number) {
    this.#status = String(status)
  }

  /** Takes the next bytes of the connection; returns whether a response is complete. */
  read(buffer: Buffer, bytes: number): boolean {
    if (this.#bodyLeft > 0) {
      this.#bodyLeft -= bytes
    } else {
      const text = this.#head + buffer.toString('latin1', 0, Math.min(bytes, headMaxBytes))
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return this.#keepHead(text)
      const bodyRead = this.#head.length + bytes - (end + 4)
      this.#bodyLeft = this.#bodyLength(text.slice(0, end)) - bodyRead
      this.#head = ''
    }
    if (this.#bodyLeft < 0) throw new Error('the server sent more than one response')
    return this.#bodyLeft === 0
  }

  #keepHead(text: string): false {
    if (text.length >= headMaxBytes) throw new Error(`a head of over ${headMaxBytes} bytes`)
    this.#head = text
    return false
  }

  #bodyLength(head: string): number {
    const status = head.slice(9, 12)
    if (status !== this.#status) throw new Error(`status ${status} instead of ${this.#status}`)
    if (status === '304') return 0
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    if (length === undefined) throw new Error(`no Content-Length in: ${head}`)
    return Number(length)
  }
}
