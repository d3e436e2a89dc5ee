// Generates the clients of hey-api.
const clients = ['fetch', 'axios']

// biome-ignore lint/style/noDefaultExport: openapi-ts reads it
export default clients.map((client) => ({
  input: './openapi.json',
  output: `./generated/hey-api-${client}`,
  plugins: [`@hey-api/client-${client}`, '@hey-api/typescript', '@hey-api/sdk'],
}))
