import { LINKED_DATA } from './accepts-linked-data.ts'
import { type Class, classesOf, type Field, type List, listsOf } from './linked-data-classes.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { notFound } from '../http-errors.ts'
import type { ApiServer } from '../serve.ts'

const HYDRA = 'http://www.w3.org/ns/hydra/core#'
const OWL = 'http://www.w3.org/2002/07/owl#'
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const DOCS = '/api/docs.jsonld'
const UNTIL_ASKED = 'public, max-age=0, must-revalidate'

/**
 * Lets a Hydra client discover the API: `/api` lists the collections, each response has a `Link` to the documentation,
 * and documentation and contexts define the terms. Call this after all endpoints are served, because everything is
 * derived from the contract.
 *
 * Each name in a response resolves to the URL of its description, such as `…/docs.jsonld#AudioBook/title`. That is why
 * responses need their context.
 */
export function describeLinkedData({ app, shop, served }: ApiServer): void {
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

  for (const [path, answer] of [
    ['/api', entryPoint],
    [DOCS, documentation],
  ] as const)
    app.get(path, async (_request, reply) =>
      reply.header('cache-control', UNTIL_ASKED).type(LINKED_DATA).send(answer),
    )
  app.get<{ Params: { type: string } }>('/api/contexts/:type', async (request, reply) => {
    const names = contexts.get(request.params.type)
    if (!names) throw notFound()
    return reply
      .header('cache-control', UNTIL_ASKED)
      .type(LINKED_DATA)
      .send({ '@context': { '@vocab': vocabulary, hydra: HYDRA, ...names } })
  })
}

/** The `Link` header of every API response. Absolute, because a client may have stored the response without its URL. */
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
