// In charge of the request that the pages show, so that all of them show the same one.

export function apiAddress(baseUrl: string): string {
  return `${baseUrl}/api/v1`
}

export function curlExample(baseUrl: string): string {
  return `curl '${apiAddress(baseUrl)}/watches?per_page=1' \\
  -H 'Authorization: Bearer YOUR_API_KEY'`
}
