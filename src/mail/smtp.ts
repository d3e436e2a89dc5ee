// Sends emails by SMTP over a few connections, which are opened for the first email and closed after the last. Every
// step has a timeout. The SMTP client is loaded with the first email.
import type { EmailMessage, Mail } from './mail.ts'

const connectionsMax = 3
/** Emails being sent or queued. More are refused: if the mail server hangs, the queue must not fill the memory. */
const emailsMax = 200
const connectMaxMs = 10_000
const greetingMaxMs = 10_000
const silenceMaxMs = 20_000
/** The limit for one email in total: a server that responds one byte at a time never reaches the silence timeout. */
const sendMaxMs = 60_000

type Pool = Awaited<ReturnType<typeof openPool>>

export function openSmtp(url: string, from: string): Mail {
  let pool: Promise<Pool> | undefined
  let underWay = 0
  return {
    async send(message) {
      if (underWay >= emailsMax) throw new Error(`more than ${emailsMax} emails wait for the mail server`)
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
        // Close idle connections, which would keep the process from exiting.
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
    reject(new Error('the mail server took too long to accept an email'))
    giveUp()
  }, sendMaxMs)
  try {
    // As an object, `to` is a single address, even if it contains commas or line breaks.
    await Promise.race([pool.sendMail({ from, to: { name: '', address: to }, subject, text }), late])
  } finally {
    clearTimeout(deadline)
  }
}
