// In charge of the request that the pages show, so that all of them show the same one.
import { curlOf } from '../../scripts/curl.ts'

export function apiAddress(baseUrl: string): string {
  return `${baseUrl}/api/v1`
}

export function curlExample(baseUrl: string): string {
  return curlOf(`${apiAddress(baseUrl)}/watches?per_page=1`)
}
