// In charge of the page that stands where another cannot be shown: what happened, and what to do about it.

import { stoppedDial } from './layout/dial.ts'
import { type Html, html } from './layout/html.ts'
import { page } from './layout/layout.ts'
import type { Site } from './layout/site.ts'

export interface ShownError {
  readonly status: number
  /** What a program is told, for what has no words of its own here. */
  readonly message: string
  /** How long to wait, where that is known. */
  readonly seconds: number | undefined
  /** Under which the log has the details. */
  readonly requestId: string
}

interface Told {
  readonly title: string
  readonly advice: string
}

const toldOf: Readonly<Record<number, Told>> = {
  400: {
    title: 'This request could not be understood.',
    advice: 'The address may be mistyped, or was not copied whole.',
  },
  405: {
    title: 'This address cannot be used that way.',
    advice: 'Nothing was changed. Open the page again, and go on from there.',
  },
  413: {
    title: 'That was too much at once.',
    advice: 'Nothing was saved. Go back, shorten what you typed, and send it again.',
  },
  415: {
    title: 'The form did not come as a form.',
    advice: 'Nothing was saved. Open the page again, and send the form from there.',
  },
  500: { title: 'Something went wrong on our side.', advice: 'It is in our log. Please try again.' },
  503: {
    title: 'The service cannot answer just now.',
    advice: 'It is starting, stopping, or waiting itself.',
  },
}

export function errorPage(site: Site, error: ShownError): string {
  const { title, advice } = toldOf[error.status] ?? { title: 'That did not work.', advice: error.message }
  return page(
    site,
    { title: `Error: ${title.replace(/\.$/, '')}`, description: title, path: '' },
    html`<section class="hero">
<div class="hero-text stack">
<h1>${title}</h1>
<p class="lede">${advice}${wait(error)}</p>
${error.status >= 500 && askForHelp(error)}
<p class="actions"><a class="button" href="/">Go to the front page</a> <a href="/status">State of the service</a></p>
</div>
${stoppedDial('1970-01-04T10:10:00Z', 'A watch dial, stopped')}
</section>`,
  )
}

function wait({ seconds }: ShownError): string {
  if (seconds === undefined) return ''
  return ` Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`
}

function askForHelp({ requestId }: ShownError): Html {
  return html`<p>If it goes on, tell whoever runs this service the request id <code>${requestId}</code>.</p>`
}
