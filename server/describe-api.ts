import { PRODUCT } from '#contract/limits.ts'
import { Problem } from '#contract/problem.ts'
import { type Endpoint, needsToken } from '#contract/endpoint.ts'
import type { Room } from './serve.ts'

/** `GET /api/docs.json`: OpenAPI 3.1 out of the same schemas that validate and serialise. */
export function describeApi({ app, served }: Room): void {
  const document = {
    openapi: '3.1.0',
    info: { title: `${PRODUCT} API`, version: '1' },
    components: {
      schemas: { Problem },
      securitySchemes: { xtoken: { type: 'apiKey', in: 'header', name: 'xtoken' } },
    },
    paths: pathsOf(served.map(({ endpoint }) => endpoint)),
  }
  app.get('/api/docs.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=0, must-revalidate').send(document),
  )
}

function pathsOf(endpoints: readonly Endpoint[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint)
  return paths
}

function operation(endpoint: Endpoint) {
  const bodyType = endpoint.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  return {
    summary: endpoint.summary,
    'x-access': endpoint.alsoOutlets ? [endpoint.access, 'outlet'] : [endpoint.access],
    ...(needsToken(endpoint) ? { security: [{ xtoken: [] }] } : {}),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body
      ? { requestBody: { required: true, content: { [bodyType]: { schema: endpoint.body } } } }
      : {}),
    responses: {
      [String(endpoint.status ?? 200)]: {
        description: endpoint.summary,
        ...(endpoint.reply
          ? {
              content: {
                'application/json': { schema: endpoint.reply },
                'application/ld+json': { schema: endpoint.reply },
              },
            }
          : {}),
      },
      default: {
        description: 'A refusal that says what is wrong',
        content: { 'application/ld+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function parameters(schema: Endpoint['params'], place: 'path' | 'query') {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}
