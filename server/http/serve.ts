import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify'
import {
  type BodyOf,
  type Endpoint,
  needsToken,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contract/endpoint.ts'
import { Problem } from '#contract/problem.ts'
import { acceptsLinkedData, LINKED_DATA } from './accepts-linked-data.ts'
import { headersToKeep, matches, type Sent } from './response-cache.ts'
import { routeOf } from './requests.ts'
import { holdsNul, refuseOddNumbers, refuseOtherTypes, schemaForSerialiser, shapeOf } from './schemas.ts'
import { type Caller, refuseInView, refuseOthers } from '../auth/access.ts'
import { type Countries, countriesOf } from '../auth/country.ts'
import { OFFICE_API, refuseForeignOrigin, refuseStaff, type StaffCaller } from '../auth/staff.ts'
import { notFound, unreadable } from './http-errors.ts'
import type { Shop } from '../shop.ts'
import { answer, HttpRefusal } from './error-responses.ts'

export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** Null for a visitor; never null if the endpoint needs a token. */
  readonly caller: E['access'] extends 'user' | 'member' | 'outlet' ? Caller : Caller | null
  /** Who is signed in to the office; null for all other endpoints. */
  readonly staff: E['access'] extends 'staff' ? StaffCaller : null
  /** The account's country, then the visitor's by the trusted proxy's header, else `GB`. */
  readonly countries: Countries
  readonly url: string
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** For callers with the same facts, countries and URL: sent from memory until the catalogue changes. */
  readonly sameFor: <A extends ReplyOf<E>>(facts: string, make: () => Promise<A>) => Promise<A | Serialised>
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<AnswerOf<E> | Serialised>
type AnswerOf<E extends Endpoint> = E extends { readonly file: string } ? string | Uint8Array : ReplyOf<E>

export class Serialised {
  readonly sent: Sent
  constructor(sent: Sent) {
    this.sent = sent
  }
}

export interface Visitors {
  /** Null without a token. @throws 401 if it is invalid, expired or revoked */
  callerOf(request: FastifyRequest): Promise<Caller | null>
  /** Who is signed in to the office, or null. */
  staffOf(request: FastifyRequest): Promise<StaffCaller | null>
  isMember(userId: string): Promise<boolean>
  countryOf(request: FastifyRequest): string
  /** The account sent a change, so cached facts about it may be outdated. */
  forget(userId: string): void
}

export interface Served {
  readonly endpoint: Endpoint
}

export interface ApiServer {
  readonly app: FastifyInstance
  readonly shop: Shop
  readonly visitors: Visitors
  readonly served: Served[]
}

export function serve<const E extends Endpoint>(server: ApiServer, endpoint: E, handler: Handler<E>): void {
  const { app, shop, visitors } = server
  server.served.push({ endpoint })
  const status = endpoint.status ?? 200
  const isPublic = endpoint.access === 'public'
  const isStaff = endpoint.access === 'staff'
  const isOffice = endpoint.path.startsWith(`${OFFICE_API}/`)
  const vary = ['Accept', 'xtoken', 'Authorization', shop.config.countryHeader, 'Accept-Encoding'].join(', ')

  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    schema: schemaOf(endpoint),
    ...(endpoint.largestBody ? { bodyLimit: endpoint.largestBody } : {}),
    // Check access before the body, so that a visitor learns nothing about its schema.
    ...(needsToken(endpoint) || endpoint.part || isOffice || endpoint.method !== 'GET'
      ? {
          onRequest: async (request: FastifyRequest) => {
            if (isOffice) refuseForeignOrigin(shop.config, request)
            if (isStaff) {
              const staff = await visitors.staffOf(request)
              refuseStaff(endpoint, staff, shop.now())
              staffAsking.set(request, staff!)
            }
            // Refused before its body is read. An invalid token is the handler's to refuse, because some read none.
            if (!needsToken(endpoint) && !isStaff && endpoint.method !== 'GET' && hasToken(request))
              refuseInView(endpoint, await visitors.callerOf(request).catch(() => null))
            if (endpoint.part && !shop.config.details.has(endpoint.part)) throw notFound()
            if (needsToken(endpoint))
              await refuseOthers(endpoint, await visitors.callerOf(request), (userId) =>
                visitors.isMember(userId),
              )
          },
        }
      : {}),
    preValidation: (request, _reply, done) => {
      readQuery(endpoint, request)
      refuseOddNumbers(endpoint, request)
      // A missing body counts as `{}` if no field is required.
      if (endpoint.body && !shapeOf(endpoint.body).required?.length) request.body ??= {}
      if (endpoint.body) refuseOtherTypes(endpoint.body, request.body)
      done()
    },
    handler: async (request, reply) => {
      if (holdsNul(request.params)) throw notFound()
      if (holdsNul(request.query) || holdsNul(request.body))
        throw unreadable('Please remove any invisible characters and try again.')
      const caller = endpoint.access === 'open' || isStaff ? null : await visitors.callerOf(request)
      if (!needsToken(endpoint) && !isStaff)
        await refuseOthers(endpoint, caller, (userId) => visitors.isMember(userId))
      const generation = shop.answers.generation
      const countries = countriesOf(caller?.countryCode, visitors.countryOf(request))
      const sameFor = async (facts: string, make: () => Promise<ReplyOf<E>>) => {
        // A visitor's whole response is cached before Fastify (`kept`).
        if (!caller) return make()
        const key = `${countries.join(' ')} ${request.url} ${facts}`
        const accepts = request.headers['accept-encoding'] ?? ''
        return new Serialised(
          await shop.answers.shared({ key, generation, accepts }, async () => reply.serialize(await make())),
        )
      }
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated by the route's schema
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller,
        staff: staffAsking.get(request) ?? null,
        countries,
        url: request.url,
        request,
        reply,
        sameFor,
      } as Call<E>
      const answer = await handler(call).finally(() => {
        if (caller && endpoint.method !== 'GET') visitors.forget(caller.userId)
      })
      if (reply.sent) return reply
      reply.header('vary', vary)
      if (endpoint.file) reply.type(endpoint.file)
      else if (acceptsLinkedData(request)) reply.type(LINKED_DATA)
      if (reply.statusCode === 200 && status !== 200) reply.code(status)
      if (!isPublic || caller) reply.header('cache-control', 'private, no-store')
      else {
        reply.header('cache-control', 'public, max-age=0, must-revalidate')
        keepWhenSent.set(request, generation)
      }
      if (answer instanceof Serialised) {
        if (!reply.hasHeader('content-type')) reply.type(JSON_TYPE)
        const { encoding, bytes } = answer.sent
        if (encoding) reply.header('content-encoding', encoding)
        return bytes
      }
      return answer ?? null
    },
    ...(isPublic && endpoint.method === 'GET'
      ? {
          onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
            kept(shop, request, reply, payload),
        }
      : {}),
  })
}

const hasToken = ({ headers }: FastifyRequest): boolean =>
  headers.xtoken !== undefined || headers.authorization !== undefined

const JSON_TYPE = 'application/json; charset=utf-8'

const staffAsking = new WeakMap<FastifyRequest, StaffCaller>()

const keepWhenSent = new WeakMap<FastifyRequest, number>()

function kept(shop: Shop, request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const generation = keepWhenSent.get(request)
  if (generation === undefined || reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const answer = shop.answers.keep(shop.answers.keyOf(request.raw), generation, routeOf(request), {
    status: 200,
    headers: headersToKeep(reply.getHeaders()),
    body: Buffer.from(payload),
  })
  shop.metrics.answersMade.add(1)
  reply.header('etag', answer.etag)
  // Return the cached bytes, so that Fastify does not encode the string again.
  if (!matches(request.headers['if-none-match'], answer.etag)) return answer.bytes
  reply.code(304)
  return ''
}

/** `/api/audio_books/{slug}` in the router's syntax. */
const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

function schemaOf(endpoint: Endpoint): FastifySchema {
  return {
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    // Unknown fields are refused, not ignored: one may be a misspelt field that matters.
    ...(endpoint.body ? { body: { ...endpoint.body, additionalProperties: false } } : {}),
    response: {
      // Not by number: V8 reserves 2 kB for an object with the key 200, and there are 500 of them.
      ...(endpoint.reply ? { '2xx': schemaForSerialiser(endpoint.reply) } : {}),
      '4xx': PROBLEM,
      '5xx': PROBLEM,
    },
  }
}

const PROBLEM = schemaForSerialiser(Problem)

/** Normalises in place: `styles=1,2` is `styles[]=1&styles[]=2`. Ignoring a misspelt filter would return everything. */
function readQuery(endpoint: Endpoint, request: FastifyRequest): void {
  const properties = shapeOf(endpoint.query).properties ?? {}
  const isList = (name: string) => shapeOf(properties[name]).type === 'array'
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated by the route's schema
  const query = request.query as Record<string, unknown>
  for (const [given, value] of Object.entries(query)) {
    const name = Object.hasOwn(properties, given) ? given : otherSpelling(given)
    if (!Object.hasOwn(properties, name) || (name !== given && !isList(name)))
      throw unreadable(`${given}: This parameter is not known.`)
    if (!isList(name)) continue
    const parts = [value].flat().flatMap((part) => String(part).split(','))
    const before = name === given ? [] : [query[name] ?? []].flat()
    delete query[given]
    query[name] = [...before, ...parts.filter((part) => part !== '')]
  }
}

const otherSpelling = (name: string): string => (name.endsWith('[]') ? name.slice(0, -2) : `${name}[]`)

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const satisfies HTTPMethods[]

/** Answers a wrong method with 405, not 404. Call it after all endpoints are served. */
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
