import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StripeProblem, invalidRequest } from '../errors.ts'
import { expanded } from '../expand.ts'
import { parseForm, type Params } from '../form.ts'
import { newId, type World } from '../world.ts'

export interface Asked {
  readonly params: Params
  readonly ids: Readonly<Record<string, string>>
  /** The request has a publishable key: it needs an intent's secret and gets only public fields. */
  readonly isBrowser: boolean
}

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly browser?: boolean
  readonly answer: (asked: Asked) => object
}

/**
 * Serves one endpoint of Stripe's REST API. A POST is one transaction, including its idempotency key: the same key
 * returns the same answer, even after a crash; the same key with another request is refused.
 */
export function serveRest(app: FastifyInstance, world: World, route: Route): void {
  app.route<{ Params: Readonly<Record<string, string>>; Body: Params | undefined }>({
    method: route.method,
    url: route.path,
    handler: async (request, reply) => {
      reply.header('request-id', newId('req').slice(0, 18)).header('stripe-version', versionOf(request))
      refuseWhereWished(world, request)
      const isBrowser = authorise(world, request, route.browser ?? false)
      if (!isBrowser) note(world.calls, `${route.method} ${route.path}`)
      const asked = { params: paramsOf(request), ids: request.params, isBrowser }
      const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined
      const work = () => carriedOut(() => answerOf(world, route, asked))
      const { status, body } =
        typeof key === 'string'
          ? remembered(world, reply, key, `${request.url} ${JSON.stringify(asked.params)}`, work)
          : world.store.transaction(work)
      if (isLost(world, request)) {
        request.raw.socket.destroy()
        return reply.hijack()
      }
      return reply.code(status).send(body)
    },
  })
}

function isLost({ store }: World, { method, url }: FastifyRequest): boolean {
  const wish = store.get<{ id: string; count: number; path: string }>('setting', 'lose')
  if (!wish || wish.count < 1 || method === 'GET' || !url.includes(wish.path)) return false
  store.put('setting', { ...wish, count: wish.count - 1 })
  return true
}

const MOST_CALLS = 100_000

function note(calls: string[], call: string): void {
  calls.push(call)
  if (calls.length > MOST_CALLS) calls.splice(0, MOST_CALLS / 2)
}

export interface RefusedCalls {
  readonly id: 'refuse'
  readonly count: number
  readonly path: string
  readonly status: 429 | 500
}

function refuseWhereWished({ store }: World, { url }: FastifyRequest): void {
  const wish = store.get<RefusedCalls>('setting', 'refuse')
  if (!wish || wish.count < 1 || !url.includes(wish.path)) return
  store.put<RefusedCalls>('setting', { ...wish, count: wish.count - 1 })
  throw wish.status === 429
    ? new StripeProblem(429, {
        type: 'invalid_request_error',
        code: 'rate_limit',
        message: 'Request rate limit exceeded. Learn more about rate limits here.',
      })
    : new StripeProblem(500, { type: 'api_error', message: 'An unknown error occurred.' })
}

/** Error responses in Stripe's format. Unexpected errors become a 500 of Stripe's API. */
export function answerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const problem = problemOf(error)
    return reply.code(problem.status).send({ error: problem.body })
  })
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({
      error: invalidRequest(
        `Unrecognized request URL (${request.method}: ${request.url.split('?')[0]}). The sandbox serves a part of the API only.`,
      ).body,
    }),
  )
}

function answerOf(world: World, { answer }: Route, asked: Asked): object {
  const { expand, ...params } = asked.params
  const paths = expand === undefined ? [] : [expand].flat().map(String)
  return expanded(world.store, answer({ ...asked, params }), paths)
}

interface Answer {
  readonly status: number
  readonly body: object
}

/**
 * Some refusals are results: their changes are committed, and the idempotency key returns the same refusal for a day.
 * Every other error rolls back the transaction.
 */
function carriedOut(work: () => object): Answer {
  try {
    return { status: 200, body: work() }
  } catch (error) {
    if (!(error instanceof StripeProblem) || !isAnswer(error)) throw error
    return { status: error.status, body: { error: error.body } }
  }
}

/** Refused charges and refused refunds; the latter change nothing. */
const isAnswer = ({ status, body: { code } }: StripeProblem): boolean =>
  status === 402 || code === 'balance_insufficient' || code === 'charge_disputed'

const DAY = 86_400

interface Remembered extends Answer {
  readonly id: string
  readonly request: string
  readonly created: number
}

/** Stores only results: a request with a validation error can be corrected and sent again with the same key. */
function remembered(
  world: World,
  reply: FastifyReply,
  key: string,
  request: string,
  work: () => Answer,
): Answer {
  const { store, clock } = world
  const hash = createHash('sha256').update(request).digest('hex')
  reply.header('idempotency-key', key)
  const known = store.get<Remembered>('idempotency', key)
  if (known && known.created > clock.now() - DAY) {
    if (known.request !== hash)
      throw new StripeProblem(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      })
    reply.header('idempotent-replayed', 'true')
    return known
  }
  return store.transaction(() => {
    const answer = work()
    store.put<Remembered>('idempotency', { ...answer, id: key, request: hash, created: clock.now() })
    return answer
  })
}

function authorise(world: World, request: FastifyRequest, browser: boolean): boolean {
  const header = request.headers.authorization ?? ''
  const key = header.startsWith('Bearer ')
    ? header.slice(7)
    : Buffer.from(header.replace(/^Basic /, ''), 'base64')
        .toString()
        .replace(/:.*$/, '')
  if (same(key, world.keys.secret)) return false
  if (same(key, world.keys.publishable)) {
    if (browser) return true
    throw new StripeProblem(401, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message:
        'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
    })
  }
  throw new StripeProblem(401, {
    type: 'invalid_request_error',
    message: key ? `Invalid API Key provided: ${key.slice(0, 8)}****` : 'You did not provide an API key.',
  })
}

export const same = (given: string, expected: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(expected).digest())

function paramsOf(request: { url: string; method: string; body: Params | undefined }): Params {
  const query = parseForm(request.url.split('?')[1] ?? '')
  return request.method === 'POST' ? { ...query, ...request.body } : query
}

function problemOf(error: unknown): StripeProblem {
  if (error instanceof StripeProblem) return error
  if (error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500)
    return invalidRequest(error.message)
  console.error(error)
  return new StripeProblem(500, {
    type: 'api_error',
    message: 'The sandbox stumbled. This is a fault of its own.',
  })
}

const versionOf = (request: FastifyRequest): string => String(request.headers['stripe-version'] ?? '')
