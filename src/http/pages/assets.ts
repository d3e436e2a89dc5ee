// Serves the scripts, styles and icons of the pages. They are read once, at startup, from the output of `npm run
// build`, and served under names that contain a content hash, so that browsers may cache them for ever.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Assets } from '../../../web/pages/layout/site.ts'
import { packageRoot } from '../../config.ts'
import { Failure } from '../../errors.ts'
import { chooseEncoding } from '../responses/encoding.ts'

const directory = path.join(packageRoot, 'web/build')
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
const headers = {
  // One year.
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
} as const

/** The URL of each entry of the build. */
export function readAssets(): Assets {
  const manifest = readManifest()
  const addressOf = (source: string) => {
    const file = manifest[source]?.file
    if (file === undefined) throw notBuilt()
    return `/assets/${file}`
  }
  const [dashboardStyle] = manifest['dashboard/main.tsx']?.css ?? []
  return {
    ...(dashboardStyle === undefined ? {} : { dashboardStyle: `/assets/${dashboardStyle}` }),
    style: addressOf('style/style.css'),
    icon: addressOf('style/favicon.svg'),
    page: addressOf('scripts/page.ts'),
    docs: addressOf('scripts/docs.ts'),
    explore: addressOf('scripts/explore.ts'),
    dashboard: addressOf('dashboard/main.tsx'),
  }
}

export function assetRoutes(app: FastifyInstance): void {
  for (const file of readdirSync(directory)) {
    const type = types[path.extname(file)]
    if (type === undefined) continue
    const plain = readFileSync(path.join(directory, file))
    // Compressed on the first request, so that it does not delay startup.
    let packed: Buffer | undefined
    app.get(`/assets/${file}`, (request, reply) => {
      reply.type(type).headers(headers)
      if (chooseEncoding(request.headers['accept-encoding']) === 'identity') return reply.send(plain)
      packed ??= zlib.gzipSync(plain, { level: 9 })
      return reply.header('content-encoding', 'gzip').send(packed)
    })
  }
}

function readManifest(): Record<string, { file: string; css?: string[] } | undefined> {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'manifest.json'), 'utf8'))
  } catch {
    throw notBuilt()
  }
}

function notBuilt(): Failure {
  return new Failure(`The pages are not built yet: run npm run build in ${packageRoot}.`)
}
