// Builds the email to operators about a feed that failed, or whose file was imported with faults.
import type { EmailMessage } from '../mail/mail.ts'
import type { Feed } from './feeds.ts'

export function failureEmail(to: string, feed: Feed): EmailMessage {
  const { id, message, every_minutes } = feed
  const { subject, lines } = feed.result === 'faulty' ? faulty(feed) : failed(feed)
  const next = `It is tried again every ${every_minutes} minutes. \`watchdata feeds list\` shows the feeds, and \`watchdata feeds run ${id}\` runs this one at once.`
  const [first = '', ...others] = lines
  return { to, subject, text: `${[first, message ?? '', ...others, next].join('\n\n')}\n` }
}

function faulty({ id, shown_url, run_id }: Feed) {
  return {
    subject: `Feed ${id} was imported, with faults`,
    lines: [
      `Feed ${id}, ${shown_url}, was imported, but not all of it as it was meant.`,
      `\`watchdata imports show ${run_id}\` shows more, and \`watchdata imports undo ${run_id}\` takes back what was imported.`,
    ],
  }
}

function failed({ id, shown_url, run_id, failures, options }: Feed) {
  const often = failures === 1 ? 'failed' : `has failed ${failures} times in a row`
  // An import in batches keeps what it had written.
  const nothing = options.inBatches === true && run_id !== null ? '' : ' Nothing of it was written.'
  return {
    subject: `Feed ${id} ${often}`,
    lines: [
      `The import of feed ${id}, ${shown_url}, ${often}.${nothing}`,
      ...(run_id === null ? [] : [`\`watchdata imports show ${run_id}\` shows more.`]),
    ],
  }
}
