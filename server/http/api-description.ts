import type { TSchema } from 'typebox'
import { Problem } from '#contract/problem.ts'
import { type Endpoint, needsToken } from '#contract/endpoint.ts'
import { OFFICE_API } from '../auth/staff.ts'
import type { ApiServer } from './serve.ts'
import { LINKED_DATA } from './accepts-linked-data.ts'
import { notFound } from './http-errors.ts'
import { shapeOf } from './schemas.ts'

/** OpenAPI 3.1, generated from the schemas that also validate and serialise. */
export function describeApi({ app, shop, served }: ApiServer): void {
  // Made when it is asked for: it is almost as large as all of the schemas.
  const document = () => ({
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
    // The office's calls are for the office alone, and change with it.
    paths: pathsOf(served.flatMap(({ endpoint }) => (isOffice(endpoint) ? [] : [endpoint]))),
  })
  app.get('/api/docs.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=0, must-revalidate').send(document()),
  )
}

const isOffice = ({ path }: Endpoint): boolean => path.startsWith(`${OFFICE_API}/`)

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
        ...(endpoint.file
          ? { content: { [endpoint.file]: { schema: { type: 'string', format: 'binary' } } } }
          : {}),
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

/** Generated clients use it as function name: `getAudioBooksBySlug`. Paths without `/api` get another name. */
const operationId = ({ method, path }: Endpoint) =>
  method.toLowerCase() +
  (path.startsWith('/api/') ? '' : 'Root') +
  path
    .replace(/^\/(api\/)?/, '')
    .split(/[/_.-]/)
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

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const OWL = 'http://www.w3.org/2002/07/owl#'
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const DOCS = '/api/docs.jsonld'
const UNTIL_ASKED = 'public, max-age=0, must-revalidate'

/** Hydra's entry point, documentation and contexts. Call this after all endpoints are served. */
export function describeLinkedData({ app, shop, served }: ApiServer): void {
  let made: ReturnType<typeof linkedDataOf> | undefined
  const linkedData = () => (made ??= linkedDataOf({ shop, served }))

  for (const [path, part] of [
    ['/api', 'entryPoint'],
    [DOCS, 'documentation'],
  ] as const)
    app.get(path, async (_request, reply) =>
      reply.header('cache-control', UNTIL_ASKED).type(LINKED_DATA).send(linkedData()[part]),
    )
  app.get<{ Params: { type: string } }>('/api/contexts/:type', async (request, reply) => {
    const { contexts, vocabulary } = linkedData()
    const names = contexts.get(request.params.type)
    if (!names) throw notFound()
    return reply
      .header('cache-control', UNTIL_ASKED)
      .type(LINKED_DATA)
      .send({ '@context': { '@vocab': vocabulary, hydra: HYDRA, ...names } })
  })
}

function linkedDataOf({ shop, served }: Pick<ApiServer, 'shop' | 'served'>) {
  const vocabulary = `${shop.config.publicUrl}${DOCS}#`
  const endpoints = served.map(({ endpoint }) => endpoint)
  const lists = listsOf(endpoints)
  const classes = classesOf(endpoints)
  const entryPoint = {
    '@context': '/api/contexts/Entrypoint',
    '@id': '/api',
    '@type': 'Entrypoint',
    ...Object.fromEntries(lists.map(({ name, path }) => [name, path])),
  }
  const documentation = {
    '@context': { '@vocab': vocabulary, hydra: HYDRA, owl: OWL, rdfs: RDFS, xsd: XSD },
    '@id': DOCS,
    '@type': 'hydra:ApiDocumentation',
    get 'hydra:title'() {
      return `${shop.config.details.name} API`
    },
    'hydra:entrypoint': { '@id': '/api' },
    'hydra:supportedClass': [
      {
        '@id': '#Entrypoint',
        '@type': 'hydra:Class',
        'hydra:title': 'Entrypoint',
        'hydra:supportedProperty': lists.map(describeList),
      },
      ...[...classes].map(describeClass),
    ],
  }
  const contexts = new Map<string, Record<string, unknown>>([
    ['Entrypoint', named('Entrypoint', lists, { '@type': '@id' })],
    ...['Error', 'ConstraintViolationList', 'SearchResults'].map((type) => [type, {}] as const),
    ...[...classes].map(([type, { fields }]) => [type, named(type, fields)] as const),
  ])
  return { vocabulary, entryPoint, documentation, contexts }
}

/** Absolute, because a client may have stored the response without its URL. */
export const documentationLink = (publicUrl: string): string =>
  `<${publicUrl}${DOCS}>; rel="${HYDRA}apiDocumentation"`

const named = (type: string, names: readonly { name: string }[], more = {}) =>
  Object.fromEntries(names.map(({ name }) => [name, { '@id': `${type}/${name}`, ...more }]))

const describeList = ({ name, endpoint, member, others }: List) => ({
  '@type': 'hydra:SupportedProperty',
  'hydra:title': endpoint.summary,
  'hydra:readable': true,
  'hydra:writeable': false,
  'hydra:property': {
    '@id': `#Entrypoint/${name}`,
    '@type': 'hydra:Link',
    'rdfs:label': name,
    'rdfs:range': [
      { '@id': 'hydra:Collection' },
      {
        'owl:equivalentClass': {
          'owl:onProperty': { '@id': 'hydra:member' },
          'owl:allValuesFrom': { '@id': `#${member}` },
        },
      },
    ],
    'hydra:supportedOperation': [
      { ...operationOf(endpoint), 'hydra:returns': { '@id': 'hydra:Collection' } },
      ...others.map((other) => operationOf(other, member)),
    ],
  },
})

const describeClass = ([type, { fields, operations }]: [string, Class]) => ({
  '@id': `#${type}`,
  '@type': 'hydra:Class',
  'hydra:title': type,
  'hydra:supportedProperty': fields.map((field) => describeField(type, field)),
  'hydra:supportedOperation': operations.map((endpoint) => operationOf(endpoint, type)),
})

const describeField = (type: string, { name, range, required, writeable }: Field) => ({
  '@type': 'hydra:SupportedProperty',
  'hydra:title': name,
  'hydra:required': required,
  'hydra:readable': true,
  'hydra:writeable': writeable,
  'hydra:property': {
    '@id': `#${type}/${name}`,
    '@type': 'rdf:Property',
    'rdfs:label': name,
    ...(range ? { 'rdfs:range': { '@id': range } } : {}),
  },
})

const operationOf = ({ method, summary, status = 200, body }: Endpoint, type?: string) => ({
  '@type': 'hydra:Operation',
  'hydra:method': method,
  'hydra:title': summary,
  ...(body && type ? { 'hydra:expects': { '@id': `#${type}` } } : {}),
  'hydra:returns': { '@id': status === 204 ? 'owl:Nothing' : type ? `#${type}` : 'hydra:Resource' },
})

interface List {
  readonly name: string
  readonly path: string
  readonly member: string
  readonly endpoint: Endpoint
  readonly others: readonly Endpoint[]
}

interface Field {
  readonly name: string
  readonly range?: string
  readonly required: boolean
  readonly writeable: boolean
}

interface Class {
  readonly fields: readonly Field[]
  readonly operations: readonly Endpoint[]
}

function listsOf(endpoints: readonly Endpoint[]): List[] {
  return endpoints
    .flatMap((endpoint) => {
      const { method, path, reply } = endpoint
      const member = typeOf(memberOf(reply))
      if (method !== 'GET' || path.includes('{') || !member) return []
      const name = path
        .replace('/api/', '')
        .replaceAll(/[/_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())
      const others = endpoints.filter((other) => other.path === path && other !== endpoint)
      return [{ name, path, member, endpoint, others }]
    })
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

function classesOf(endpoints: readonly Endpoint[]): Map<string, Class> {
  const properties = new Map<string, Map<string, TSchema>>()
  const lists = listsOf(endpoints)
  for (const endpoint of endpoints)
    for (const schema of [endpoint.reply, memberOf(endpoint.reply)]) {
      const type = typeOf(schema)
      if (!schema || !type || type.startsWith('hydra:')) continue
      const known = properties.get(type) ?? new Map<string, TSchema>()
      for (const [name, property] of Object.entries(propertiesOf(schema)))
        if (!name.startsWith('@')) known.set(name, property)
      properties.set(type, known)
    }
  const types = [...properties.keys()].toSorted((one, other) => one.localeCompare(other, 'en'))
  return new Map(
    types.map((type) => {
      const own = lists.filter(({ member }) => member === type)
      const adding = own.flatMap(({ others }) => others)
      const items = own.map(({ path }) => `${path}/{}`)
      const operations = endpoints.filter(({ path }) => items.includes(path.replace(/\{\w+\}$/, '{}')))
      const bodies = [...adding, ...operations].map(({ body }) => shapeOf(body))
      const fields = [...properties.get(type)!].map(([name, schema]) => ({
        name,
        ...rangeOf(schema, properties),
        required: adding.some(({ body }) => shapeOf(body).required?.includes(name)),
        writeable: bodies.some((body) => name in (body.properties ?? {})),
      }))
      return [type, { fields, operations }]
    }),
  )
}

function rangeOf(schema: TSchema, classes: ReadonlyMap<string, unknown>): { range?: string } {
  const { format, items } = shapeOf(schema)
  const [only, ...others] = variantsOf(schema)
  if (only && only !== schema && others.length === 0) return rangeOf(only, classes)
  const type = [shapeOf(schema).type].flat().find((each) => each !== 'null')
  if (type === 'array') return items ? rangeOf(items, classes) : {}
  if (type === 'integer') return { range: 'xsd:integer' }
  if (type === 'number') return { range: 'xsd:decimal' }
  if (type === 'boolean') return { range: 'xsd:boolean' }
  if (type === 'string') return { range: format === 'date-time' ? 'xsd:dateTime' : 'xsd:string' }
  const other = typeOf(schema)
  return other && classes.has(other) ? { range: `#${other}` } : {}
}

const memberOf = (reply: TSchema | undefined) => shapeOf(propertiesOf(reply)['hydra:member']).items

const variantsOf = (schema: TSchema | undefined): readonly TSchema[] =>
  schema ? (shapeOf(schema).anyOf ?? [schema]).filter((each) => shapeOf(each).type !== 'null') : []

const propertiesOf = (schema: TSchema | undefined): Readonly<Record<string, TSchema>> =>
  Object.assign({}, ...variantsOf(schema).map((variant) => shapeOf(variant).properties))

const typeOf = (schema: TSchema | undefined): string | undefined => {
  const types = variantsOf(schema).map((variant) => shapeOf(shapeOf(variant).properties?.['@type']).const)
  return types.length > 0 && types.every((type) => typeof type === 'string') ? types.join('Or') : undefined
}
