// Tells the addresses of the API from those of the pages.

/** The path of the API, without a slash at its end. */
export const apiPath = '/api/v1'

export function isApiAddress(url: string): boolean {
  if (!url.startsWith(apiPath)) return false
  const next = url[apiPath.length]
  return next === undefined || next === '/' || next === '?' || next === '#'
}
