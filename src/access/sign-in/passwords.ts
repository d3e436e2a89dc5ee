// In charge of passwords at rest: argon2id at the cost that OWASP recommends, as a PHC string, so that a later cost
// still verifies what was made at this one. Each takes 19 MB and some 50 ms of a thread, so few are made at once.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Semaphore } from '../../semaphore.ts'

export const passwordMinLength = 10
export const passwordMaxLength = 128

const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const
const saltBytes = 16
const tagBytes = 32
/** Half of the threads that Node has for such work: files and names must not wait behind it. */
const hashLimits = { permits: 2, waitingMax: 64 } as const

const phc =
  /^\$argon2id\$v=19\$m=(?<memory>\d{1,7}),t=(?<passes>\d{1,2}),p=(?<parallelism>\d)\$(?<salt>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/

const derive = promisify(argon2)

export class Passwords {
  readonly #semaphore = new Semaphore(hashLimits)

  /** A Problem when too many are being made already. */
  async hash(password: string): Promise<string> {
    const nonce = randomBytes(saltBytes)
    const tag = await this.#derive(password, { ...cost, nonce, tagLength: tagBytes })
    const { memory, passes, parallelism } = cost
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(tag)}`
  }

  async verify(hash: string, password: string): Promise<boolean> {
    const { memory, passes, parallelism, salt = '', tag = '' } = phc.exec(hash)?.groups ?? {}
    const expected = Buffer.from(tag, 'base64')
    const made = await this.#derive(password, {
      memory: Number(memory ?? cost.memory),
      passes: Number(passes ?? cost.passes),
      parallelism: Number(parallelism ?? cost.parallelism),
      // A string that is none of ours takes as long as a wrong password.
      nonce: expected.length === 0 ? randomBytes(saltBytes) : Buffer.from(salt, 'base64'),
      tagLength: expected.length || tagBytes,
    })
    return expected.length > 0 && timingSafeEqual(made, expected)
  }

  #derive(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
    // The same keys pressed on another system may come as other code points.
    const message = password.normalize('NFKC')
    return this.#semaphore.run(() => derive('argon2id', { ...parameters, message }))
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
