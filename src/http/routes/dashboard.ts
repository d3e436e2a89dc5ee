// /dashboard and all below it: the page of the app, for who is signed in. Which of its views is shown is the app's matter.
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
      if (signedIn === undefined) throw new Error('signed in a moment ago')
      const { email, name, role, plan } = signedIn
      const { sendsEmail: sendsMail } = sessions
      return dashboardPage(site, { email, name, role, plan, baseUrl, sendsMail } satisfies DashboardStart)
    })
  }
  app.get('/dashboard', send)
  app.get('/dashboard/*', send)
}
