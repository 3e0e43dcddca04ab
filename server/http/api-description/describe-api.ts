import { Problem } from '#contract/problem.ts'
import { type Endpoint, needsToken } from '#contract/endpoint.ts'
import type { ApiServer } from '../serve.ts'

/** `GET /api/docs.json`: OpenAPI 3.1, generated from the schemas that also validate and serialise. */
export function describeApi({ app, shop, served }: ApiServer): void {
  const document = {
    openapi: '3.1.0',
    info: {
      get title() {
        return `${shop.config.details.name} API`
      },
      version: '1',
      license: { name: 'All rights reserved', url: `${shop.config.publicUrl}/info/terms-conditions` },
    },
    servers: [{ url: shop.config.publicUrl }],
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
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    'x-access': endpoint.alsoOutlets ? [endpoint.access, 'outlet'] : [endpoint.access],
    security: securityOf(endpoint),
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
      '4XX': problem('A refusal that says what is wrong'),
      '5XX': problem('The shop cannot answer just now'),
    },
  }
}

const problem = (description: string) => ({
  description,
  content: { 'application/ld+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

/**
 * `getAudioBooksBySlug` for `GET /api/audio_books/{slug}`; generated clients use it as function name. Paths that also
 * exist without `/api` get another name there.
 */
const operationId = ({ method, path }: Endpoint) =>
  method.toLowerCase() +
  (path.startsWith('/api/') ? '' : 'Root') +
  path
    .replace(/^\/(api\/)?/, '')
    .split(/[/_-]/)
    .map((part) => (part.startsWith('{') ? `By${capital(part.slice(1, -1))}` : capital(part)))
    .join('')

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** An empty requirement next to the token's means that visitors may call too. */
const securityOf = (endpoint: Endpoint) => {
  if (needsToken(endpoint)) return [{ xtoken: [] }]
  return endpoint.access === 'anyone' ? [{}, { xtoken: [] }] : []
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
