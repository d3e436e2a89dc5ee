// `npm run bundle`: bundles and minifies all that the SDK exports, as an application would, for size-limit to measure.
import path from 'node:path'
import { build } from 'vite'

const built = path.join(import.meta.dirname, 'dist')
await build({
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    outDir: built,
    emptyOutDir: false,
    target: 'es2022',
    copyPublicDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: path.join(built, 'index.js'),
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: 'bundle.js' },
    },
  },
})
