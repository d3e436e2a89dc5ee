// Renders the error page of a request that failed: what happened, and what the user can do about it.

import { stoppedDial } from './layout/dial.ts'
import { type Html, html } from './layout/html.ts'
import { page } from './layout/layout.ts'
import type { Site } from './layout/site.ts'

export interface ShownError {
  readonly status: number
  /** The API's message, shown for a status that has no text of its own here. */
  readonly message: string
  /** Seconds until a retry makes sense, if known. */
  readonly seconds: number | undefined
  /** The id under which the log has the details. */
  readonly requestId: string
}

interface Told {
  readonly title: string
  readonly advice: string
}

const toldOf: Readonly<Record<number, Told>> = {
  400: {
    title: 'This request could not be understood',
    advice: 'The URL may be mistyped or incomplete.',
  },
  405: {
    title: 'This page cannot be used that way',
    advice: 'Nothing was changed. Open the page again and continue from there.',
  },
  413: {
    title: 'That was too much data',
    advice: 'Nothing was saved. Go back, shorten your input and try again.',
  },
  415: {
    title: 'The form could not be read',
    advice: 'Nothing was saved. Open the page again and submit the form from there.',
  },
  500: { title: 'Something went wrong on our side', advice: 'The error was logged. Please try again.' },
  503: {
    title: 'The service is temporarily unavailable',
    advice: 'It is starting, shutting down, overloaded, or waiting for its database.',
  },
}

export function errorPage(site: Site, error: ShownError): string {
  const { title, advice } = toldOf[error.status] ?? { title: 'That did not work', advice: error.message }
  return page(
    site,
    { title: `Error: ${title}`, description: `${title}.`, path: '' },
    html`<section class="hero">
<div class="hero-text stack">
<h1>${title}</h1>
<p class="lede">${advice}${wait(error)}</p>
${error.status >= 500 && askForHelp(error)}
<p class="actions"><a class="button" href="/">Go to the home page</a> <a href="/status">Service status</a></p>
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
  return html`<p>If this keeps happening, send the operator of this service the request ID <code>${requestId}</code>.</p>`
}
