// Builds the URL that a form requests, and sets how long a pause in typing must be before it is requested.

export const typedMs = 220

/** Leaves out empty fields, which saves the server's redirect to the URL without them. */
export function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  const fields = [...new FormData(form)].filter(([, value]) => value !== '')
  url.search = new URLSearchParams(fields as [string, string][]).toString()
  url.hash = ''
  return url.href
}
