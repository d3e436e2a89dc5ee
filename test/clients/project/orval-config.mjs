// Generates orval's clients.
const input = './openapi.json'
const baseUrl = { getBaseUrlFromSpecification: true }

// biome-ignore lint/style/noDefaultExport: orval reads it
export default {
  fetch: { input, output: { target: './generated/orval-fetch/client.ts', client: 'fetch', baseUrl } },
  axios: { input, output: { target: './generated/orval-axios/client.ts', client: 'axios-functions' } },
}
