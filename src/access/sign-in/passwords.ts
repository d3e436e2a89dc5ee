// Hashes and verifies passwords: argon2id at the cost that OWASP recommends, as PHC strings, so that today's hashes
// still verify after the cost is raised. Each hash takes 19 MB and some 50 ms of a thread, so only a few run at once.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Semaphore } from '../../semaphore.ts'

export const passwordMinLength = 10
export const passwordMaxLength = 128

/** `memory` in KiB. */
export type PasswordCost = Pick<Argon2Parameters, 'memory' | 'passes' | 'parallelism'>

const recommendedCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const tagBytes = 32
/** Half of Node's thread pool: file access and DNS lookups must not wait behind hashing. */
const hashLimits = { permits: 2, waitingMax: 64 } as const

const phc =
  /^\$argon2id\$v=19\$m=(?<memory>\d{1,7}),t=(?<passes>\d{1,2}),p=(?<parallelism>\d)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/

const derive = promisify(argon2)

export class Passwords {
  readonly #semaphore = new Semaphore(hashLimits)
  readonly #cost: PasswordCost

  constructor(cost = recommendedCost) {
    this.#cost = cost
  }

  /** Throws a Problem if too many hashes are queued already. */
  async hash(password: string): Promise<string> {
    const nonce = randomBytes(saltBytes)
    const tag = await this.#derive(password, { ...this.#cost, nonce, tagLength: tagBytes })
    const { memory, passes, parallelism } = this.#cost
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
  }

  async verify(hash: string, password: string): Promise<boolean> {
    const { memory, passes, parallelism, salt = '', tag = '' } = phc.exec(hash)?.groups ?? {}
    const expected = Buffer.from(tag, 'base64')
    const made = await this.#derive(password, {
      memory: Number(memory ?? this.#cost.memory),
      passes: Number(passes ?? this.#cost.passes),
      parallelism: Number(parallelism ?? this.#cost.parallelism),
      // An invalid hash takes as long as a wrong password.
      nonce: expected.length === 0 ? randomBytes(saltBytes) : Buffer.from(salt, 'base64'),
      tagLength: expected.length || tagBytes,
    })
    return expected.length > 0 && timingSafeEqual(made, expected)
  }

  #derive(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
    // The same password typed on another system may arrive as other code points.
    const message = password.normalize('NFKC')
    return this.#semaphore.run(() => derive('argon2id', { ...parameters, message }))
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
