// In charge of what the browser is sent: the stylesheet, the small scripts of the public pages and the dashboard app,
// each under a name that its contents decide. What refers to them by name is the manifest (src/http/pages/assets.ts).
import path from 'node:path'
import { defineConfig } from 'vite'

const web = path.join(import.meta.dirname, 'web')

export default defineConfig({
  root: web,
  base: '/assets/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'build',
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    target: 'es2022',
    // The policy of the pages lets no data: script through, and a name is cheap.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        style: path.join(web, 'style/style.css'),
        icon: path.join(web, 'style/favicon.svg'),
        page: path.join(web, 'scripts/page.ts'),
        docs: path.join(web, 'scripts/docs.ts'),
        explore: path.join(web, 'scripts/explore.ts'),
        dashboard: path.join(web, 'dashboard/main.tsx'),
      },
    },
  },
})
