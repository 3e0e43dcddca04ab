import type { TSchema } from 'typebox'
import type { Endpoint } from '#contract/endpoint.ts'
import { PRODUCT } from '#contract/limits.ts'
import { LINKED_DATA } from './accepts-linked-data.ts'
import { notFound } from './refusals.ts'
import type { Room } from './serve.ts'
import { shapeOf } from './schema-shape.ts'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const DOCS = '/api/docs.jsonld'
const UNTIL_ASKED = 'public, max-age=0, must-revalidate'

type Properties = Readonly<Record<string, TSchema>>

/**
 * What a hydra client needs to find its way by itself: `/api` names every list, each answer names the documentation in
 * a `Link`, and the documentation and contexts say what the words in an answer mean. Runs after every endpoint is
 * served, since all of it is read off the contract.
 */
export function describeLinkedData({ app, shop, served }: Room): void {
  const origin = shop.config.publicUrl
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
    '@context': { hydra: HYDRA, '@vocab': `${origin}${DOCS}#` },
    '@id': DOCS,
    '@type': 'hydra:ApiDocumentation',
    'hydra:title': `${PRODUCT} API`,
    'hydra:entrypoint': '/api',
    'hydra:supportedClass': [
      {
        '@id': '#Entrypoint',
        '@type': 'hydra:Class',
        'hydra:title': 'Entrypoint',
        'hydra:supportedProperty': lists.map(({ name, endpoint, member }) => ({
          '@type': 'hydra:SupportedProperty',
          'hydra:title': endpoint.summary,
          'hydra:readable': true,
          'hydra:writable': false,
          'hydra:property': {
            '@id': `#Entrypoint/${name}`,
            '@type': 'hydra:Link',
            range: [
              { '@id': 'hydra:Collection' },
              { 'hydra:memberAssertion': { 'hydra:object': `#${member}` } },
            ],
            'hydra:supportedOperation': [operationOf(endpoint)],
          },
        })),
      },
      ...[...classes].map(([type, { properties, operations }]) => ({
        '@id': `#${type}`,
        '@type': 'hydra:Class',
        'hydra:title': type,
        'hydra:supportedProperty': Object.keys(properties)
          .filter((name) => !name.startsWith('@'))
          .map((name) => ({
            '@type': 'hydra:SupportedProperty',
            'hydra:title': name,
            'hydra:readable': true,
            'hydra:writable': false,
            'hydra:property': { '@id': `#${type}/${name}`, '@type': 'rdf:Property' },
          })),
        'hydra:supportedOperation': operations.map(operationOf),
      })),
    ],
  }
  const context = { '@context': { '@vocab': `${origin}${DOCS}#`, hydra: HYDRA } }
  const named = new Set([
    'Entrypoint',
    'Error',
    'ConstraintViolationList',
    'SearchResults',
    ...classes.keys(),
  ])

  for (const [path, answer] of [
    ['/api', entryPoint],
    [DOCS, documentation],
  ] as const)
    app.get(path, async (_request, reply) =>
      reply.header('cache-control', UNTIL_ASKED).type(LINKED_DATA).send(answer),
    )
  app.get<{ Params: { type: string } }>('/api/contexts/:type', async (request, reply) => {
    if (!named.has(request.params.type)) throw notFound()
    return reply.header('cache-control', UNTIL_ASKED).type(LINKED_DATA).send(context)
  })
}

/** In every answer of the API, whole, since a client reads it without knowing where it came from. */
export const documentationLink = (publicUrl: string): string =>
  `<${publicUrl}${DOCS}>; rel="${HYDRA}apiDocumentation"`

const operationOf = ({ method, summary, status = 200 }: Endpoint) => ({
  '@type': 'hydra:Operation',
  'hydra:method': method,
  'hydra:title': summary,
  'hydra:returns': status === 204 ? 'owl:Nothing' : 'hydra:Resource',
})

interface List {
  /** `audioBooks` of `/api/audio_books`. */
  readonly name: string
  readonly path: string
  readonly member: string
  readonly endpoint: Endpoint
}

/** Every list whose address needs nothing filled in, by name. */
function listsOf(endpoints: readonly Endpoint[]): List[] {
  return endpoints
    .flatMap((endpoint) => {
      const { method, path, reply } = endpoint
      const member = shapeOf(propertiesOf(reply)['hydra:member']).items
      if (method !== 'GET' || path.includes('{') || !member) return []
      const name = path
        .replace('/api/', '')
        .replaceAll(/[/_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())
      return [{ name, path, member: typeOf(member) ?? 'Resource', endpoint }]
    })
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
}

interface Described {
  readonly properties: Properties
  readonly operations: Endpoint[]
}

/** What answers are made of: items by themselves and members of lists, with the calls that answer the former. */
function classesOf(endpoints: readonly Endpoint[]): Map<string, Described> {
  const classes = new Map<string, Described>()
  const add = (schema: TSchema | undefined, endpoint?: Endpoint) => {
    const type = typeOf(schema)
    if (!schema || !type || type.startsWith('hydra:')) return
    const known = classes.get(type) ?? { properties: {}, operations: [] }
    classes.set(type, {
      properties: { ...known.properties, ...propertiesOf(schema) },
      operations: endpoint ? [...known.operations, endpoint] : known.operations,
    })
  }
  for (const endpoint of endpoints) {
    add(endpoint.reply, endpoint)
    add(shapeOf(propertiesOf(endpoint.reply)['hydra:member']).items)
  }
  return new Map([...classes].sort(([one], [other]) => one.localeCompare(other, 'en')))
}

const propertiesOf = (schema: TSchema | undefined): Properties => shapeOf(schema).properties ?? {}

const typeOf = (schema: TSchema | undefined): string | undefined => {
  const type = shapeOf(propertiesOf(schema)['@type']).const
  return typeof type === 'string' ? type : undefined
}
