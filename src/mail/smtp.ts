// In charge of letters by SMTP: a few connections, opened with the first letter and closed after the last, and a limit
// on how long any step may take. The client is loaded with the first letter.
import type { EmailMessage, Mail } from './mail.ts'

const connectionsMax = 3
/** Letters under way or waiting; more are refused, or a server that hangs would fill the memory. */
const emailsMax = 200
const connectMaxMs = 10_000
const greetingMaxMs = 10_000
const silenceMaxMs = 20_000
/** For one letter, all in all: a server that answers a byte at a time is never silent. */
const sendMaxMs = 60_000

type Pool = Awaited<ReturnType<typeof openPool>>

export function openSmtp(url: string, from: string): Mail {
  let pool: Promise<Pool> | undefined
  let underWay = 0
  return {
    async send(message) {
      if (underWay >= emailsMax) throw new Error(`more than ${emailsMax} letters wait for the mail server`)
      underWay++
      pool ??= openPool(url)
      const own = pool
      const leave = (force: boolean) => {
        if (pool === own) pool = undefined
        void own.then((one) => one.close({ force }))
      }
      try {
        await sendWithin(await own, message, from, () => leave(true))
      } finally {
        underWay--
        // Nothing is left open that would keep the process from ending.
        if (underWay === 0) leave(false)
      }
    },
  }
}

async function openPool(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url,
    pool: true,
    maxConnections: connectionsMax,
    connectionTimeout: connectMaxMs,
    greetingTimeout: greetingMaxMs,
    socketTimeout: silenceMaxMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

async function sendWithin(
  pool: Pool,
  { to, subject, text }: EmailMessage,
  from: string,
  giveUp: () => void,
): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const deadline = setTimeout(() => {
    reject(new Error('the mail server took too long over a letter'))
    giveUp()
  }, sendMaxMs)
  try {
    // As an object: what is in it is one address, whatever it looks like.
    await Promise.race([pool.sendMail({ from, to: { name: '', address: to }, subject, text }), late])
  } finally {
    clearTimeout(deadline)
  }
}
