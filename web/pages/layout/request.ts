// Builds the API's base URL and the example request, so that all pages show the same one.
import { curlOf } from '../../scripts/curl.ts'

export function apiAddress(baseUrl: string): string {
  return `${baseUrl}/api/v1`
}

export function curlExample(baseUrl: string): string {
  return curlOf(`${apiAddress(baseUrl)}/watches?per_page=1`)
}
