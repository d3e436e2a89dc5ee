// In charge of the address that a form asks for, and of how long a pause in typing is before it is asked.

export const typedMs = 220

/** Empty fields are left out here, so that the server need not send us on. */
export function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action)
  const fields = [...new FormData(form)].filter(([, value]) => value !== '')
  url.search = new URLSearchParams(fields as [string, string][]).toString()
  url.hash = ''
  return url.href
}
