// Stands in for the web frameworks of the README's samples, which are not installed: as much of each as the samples use.

type ExpressHandler = (
  request: ExpressRequest,
  response: { sendStatus(status: number): void },
) => Promise<void>

interface ExpressRequest {
  readonly body: Buffer
  readonly headers: Record<string, string | string[] | undefined>
}

/** Set by the sample. */
export const routes: { express?: ExpressHandler } = {}

export const express = Object.assign(
  () => ({
    post(_path: string, _raw: object, handler: ExpressHandler) {
      routes.express = handler
    },
    listen(_port: number) {},
  }),
  { raw: (options: { type: string }) => options },
)

interface HonoContext<Bindings> {
  readonly req: { readonly raw: Request }
  readonly env: Bindings
  body(body: null, status: number): Response
  text(text: string, status: number): Response
}

export class Hono<Types extends { Bindings: object }> {
  fetch: (request: Request, env: Types['Bindings']) => Promise<Response> = async () => new Response()

  post(_path: string, handler: (context: HonoContext<Types['Bindings']>) => Promise<Response>): void {
    const body = (text: string | null, status: number) => new Response(text, { status })
    this.fetch = (request, env) => handler({ req: { raw: request }, env, body, text: body })
  }
}
