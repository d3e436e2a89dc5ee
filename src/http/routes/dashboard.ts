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
    if ((await findVisitor(request, pages)) === undefined) {
      reply.header('cache-control', 'no-store')
      return reply.redirect(withNext('/sign-in', parseNext(request.url)), 303)
    }
    return sendPage(request, reply, pages, (site, signedIn) => {
      if (signedIn === undefined) throw new Error('the session of the dashboard visitor is missing')
      const { email, name, role, plan } = signedIn
      const { sendsEmail: sendsMail } = sessions
      return dashboardPage(site, { email, name, role, plan, baseUrl, sendsMail } satisfies DashboardStart)
    })
  }
  app.get('/dashboard', send)
  app.get('/dashboard/*', send)
}
