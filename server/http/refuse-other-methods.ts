import type { HTTPMethods } from 'fastify'
import { answer, HttpRefusal } from './error-responses.ts'
import { routePath, type ApiServer } from './serve.ts'

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const satisfies HTTPMethods[]

/**
 * Answers a known path with a wrong method with 405 and the allowed methods, not 404. Call it after all endpoints are
 * served.
 */
export function refuseOtherMethods({ app, served }: ApiServer): void {
  const allowed = new Map<string, Set<string>>()
  for (const { endpoint } of served) {
    const path = routePath(endpoint.path)
    const methods = allowed.get(path) ?? new Set()
    methods.add(endpoint.method)
    allowed.set(path, methods)
  }
  for (const [path, methods] of allowed) {
    const others = METHODS.filter((method) => !methods.has(method))
    if (others.length === 0) continue
    const allow = [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].join(', ')
    app.route({
      method: others,
      url: path,
      exposeHeadRoute: false,
      // Refused before the body is read, so that a wrong method never becomes a wrong media type.
      onRequest: async (request, reply) =>
        answer(
          reply,
          new HttpRefusal(
            405,
            `No route found for "${request.method} ${path}": Method Not Allowed (Allow: ${allow})`,
            { allow },
          ),
        ),
      handler: () => undefined,
    })
  }
}
