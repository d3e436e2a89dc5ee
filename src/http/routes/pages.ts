// The public pages and their assets. They load nothing from elsewhere, and the policy says so.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { dashboardPage } from '../../../web/pages/dashboard.ts'
import { docsPage } from '../../../web/pages/docs.ts'
import type { Reference } from '../../../web/pages/docs-data.ts'
import type { Instance } from '../../../web/pages/instance.ts'
import { landingPage } from '../../../web/pages/landing.ts'
import { notFoundPage } from '../../../web/pages/not-found.ts'
import { packageRoot, settingRows } from '../../config.ts'
import { type ProblemKind, problems } from '../../errors.ts'

const assets = { 'style.css': 'text/css; charset=utf-8', 'favicon.svg': 'image/svg+xml' }

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

export function pageRoutes(app: FastifyInstance, instance: () => Promise<Instance>): void {
  app.get('/', async (_request, reply) => sendPage(reply, landingPage(await instance())))
  app.get('/dashboard', async (_request, reply) => sendPage(reply, dashboardPage(await instance())))
  let reference: Promise<Reference> | undefined
  app.get('/docs', async (_request, reply) => {
    // Not before someone reads it: it loads the schemas.
    reference ??= import('../contract/reference.ts').then(({ describeReference }) => describeReference())
    const tables = { problems: Object.values(problems) satisfies ProblemKind[], settings: settingRows() }
    return sendPage(reply, docsPage({ ...(await instance()), ...tables, reference: await reference }))
  })
  for (const [file, type] of Object.entries(assets)) {
    const body = readFileSync(path.join(packageRoot, 'web/pages', file))
    app.get(`/assets/${file}`, (_request, reply) => {
      reply
        .headers({ ...pageHeaders, 'cache-control': 'public, max-age=300' })
        .type(type)
        .send(body)
    })
  }
}

/** A person gets a page, a program gets JSON (by the caller of this function). */
export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(404), notFoundPage())
}

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  // Never kept: the pages show the figures and the time of now.
  return reply
    .headers({ ...pageHeaders, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page)
}
