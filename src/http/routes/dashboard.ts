// Serves /dashboard and everything below it: the page of the dashboard app, for signed-in visitors. The app itself
// chooses the view to show.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DashboardStart } from '../../../web/account-api.ts'
import { dashboardPage } from '../../../web/pages/dashboard.ts'
import { withNext } from '../../../web/pages/sign-in/sign-in.ts'
import { parseNext } from '../pages/next-path.ts'
import { findVisitor, type PageParts, sendPage } from '../pages/page.ts'

export function dashboardRoutes(app: FastifyInstance, pages: PageParts): void {
  const { baseUrl, sessions } = pages
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await findVisitor(request, pages)
    if (visitor === undefined) {
      reply.header('cache-control', 'no-store')
      return reply.redirect(withNext('/sign-in', parseNext(request.url)), 303)
    }
    const { email, name, role, plan } = visitor
    const service = { baseUrl, sendsMail: sessions.sendsEmail, hasExplorer: pages.explorer !== 'off' }
    const start: DashboardStart = { email, name, role, plan, ...service }
    return sendPage(request, reply, pages, (site) => dashboardPage(site, start))
  }
  app.get('/dashboard', send)
  app.get('/dashboard/*', send)
}
