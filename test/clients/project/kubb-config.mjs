// Generates kubb's clients.
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

const clients = ['fetch', 'axios']

// biome-ignore lint/style/noDefaultExport: kubb reads it
export default defineConfig(
  clients.map((client) => ({
    name: client,
    root: '.',
    input: { path: './openapi.json' },
    output: { path: `./generated/kubb-${client}`, format: false, lint: false },
    plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client })],
  })),
)
