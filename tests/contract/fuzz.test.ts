import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { cartItems } from '#server/db/schema/bag.ts'
import { lineOf, servedCalls } from './calls.ts'
import { closed, type Described, describedApi, operationOf, replySchema } from './reply-schema.ts'
import { buildWorld, type CallerName, type World } from './world.ts'
import { fc } from '#tests/support/random.ts'

const RUNS = process.env.LONG ? 60 : 4
vi.setConfig({ testTimeout: 600_000 })

let world: World
let described: Described
let names: string[]
beforeAll(async () => {
  world = await buildWorld()
  // Expected refusals would fill the log; anything else fails the test.
  world.shop.app.log.level = 'silent'
  described = await describedApi(world)
  names = [...(await servedCalls(world)).keys()]
})
afterAll(() => world.shop.close())

type Schema = Readonly<Record<string, unknown>>

/** Values that fit a schema. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Schema[]).map(fitting))
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => fitting({ ...schema, type })))
  const bounds = { min: schema.minimum as number | undefined, max: schema.maximum as number | undefined }
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.integer({ min: bounds.min ?? -1000, max: bounds.max ?? 2_000_000_000 })
    case 'number':
      return fc.double({ min: bounds.min ?? -1000, max: bounds.max ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting((schema.items ?? {}) as Schema), { maxLength: 5 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, of]) => [
            name,
            fitting(of),
          ]),
        ),
        { requiredKeys: (schema.required ?? []) as string[] },
      )
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue()
  }
}

function text({ format, pattern, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (typeof pattern === 'string') {
    const matching = new RegExp(pattern, 'u')
    // The generator does not support look-ahead.
    return pattern.includes('(?=') || pattern.includes('\\p{')
      ? fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((each) => matching.test(each))
      : fc.stringMatching(matching)
  }
  const length = {
    minLength: (minLength ?? 0) as number,
    maxLength: Math.min((maxLength ?? 80) as number, 80),
  }
  return fc.oneof(fc.string(length), fc.string({ unit: 'binary', ...length }), fc.constantFrom(...NASTY))
}

const NASTY = [
  '',
  '\0',
  '%00',
  "'; drop table users; --",
  '../../etc/passwd',
  '𝕏'.repeat(20),
  '__proto__',
  'null',
  '-1',
]

/** Mostly valid values, sometimes arbitrary ones. */
const nearly = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fitting(schema) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })

interface Wild {
  readonly caller: CallerName
  /** Uses the path and fields of the sample call; otherwise generated ones. */
  readonly isReal: boolean
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
}

function wild(name: string): fc.Arbitrary<Wild> {
  const { parameters, requestBody } = operationOf(described, name)
  const of = (place: 'path' | 'query') =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((each) => each.in === place)
          .map((each) => [each.name, nearly(each.schema as Schema)]),
      ),
      place === 'path' ? {} : { requiredKeys: [] },
    )
  const body = requestBody ? Object.values(requestBody.content)[0]!.schema : undefined
  return fc.record({
    caller: fc.constantFrom<CallerName>('visitor', 'owner', 'outlet'),
    isReal: fc.boolean(),
    params: of('path'),
    query: of('query'),
    body: body ? nearly(body as Schema) : fc.constant(undefined),
  })
}

async function send(name: string, { caller, isReal, params, query, body }: Wild) {
  const [method, path] = name.split(' ') as [NonNullable<InjectOptions['method']>, string]
  const sample = isReal ? await lineOf(name)!.request(world) : undefined
  const address =
    sample?.url ??
    path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(plain(params[key])) || '_')
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) search.append(key, plain(value))
  const joined = `${address}${search.size > 0 ? `${address.includes('?') ? '&' : '?'}${search}` : ''}`
  const isMergeable = isObject(body) && isObject(sample?.payload)
  const payload = isMergeable ? { ...sample.payload, ...body } : body
  return world.shop.app.inject({
    method,
    url: joined,
    headers: {
      ...world.headersOf(caller),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
  })
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Strings that JavaScript accepts as numbers or nearly so, but that no person types. */
const ODD_NUMBERS = [
  'Infinity',
  '-Infinity',
  'NaN',
  '1e309',
  '1e3',
  '0x10',
  '0b1',
  '9'.repeat(400),
  '9007199254740993',
  '1_000',
  '٣',
  '1 ',
  '--1',
]

test('an invalid number is refused in every query parameter that takes one', async () => {
  let asked = 0
  for (const name of names) {
    const numbers = operationOf(described, name).parameters.filter(
      ({ in: place, schema }) =>
        place === 'query' && /"type":"(?:integer|number)"/.test(JSON.stringify(schema)),
    )
    for (const { name: parameter } of numbers)
      for (const odd of ODD_NUMBERS) {
        const body = undefined
        const answer = await send(name, {
          caller: 'owner',
          isReal: true,
          params: {},
          query: { [parameter]: odd },
          body,
        })
        expect([400, 404], `${name} ${parameter}=${odd}: ${answer.body.slice(0, 200)}`).toContain(
          answer.statusCode,
        )
        asked += 1
      }
  }
  expect(asked).toBeGreaterThan(200)
})

test('no input to any call causes a server error, and every response matches its published schema', async () => {
  const refusal = closed(Problem)
  for (const name of names) {
    const reply = replySchema(described, name)
    const fits = reply && closed(reply)
    const faultOf = (answer: Awaited<ReturnType<typeof send>>): unknown => {
      const { statusCode, headers, body } = answer
      if (statusCode === 204 || statusCode === 304) return body || undefined
      if (statusCode >= 300) {
        if (!refusal(answer.json())) return refusal.errors
        return /node_modules|\bat \w+ \(|Failed query/.exec(body)?.[0]
      }
      const isJson = /json/.test(String(headers['content-type']))
      return fits && isJson && !fits(answer.json()) ? fits.errors : undefined
    }
    // Rate limits have their own tests; here they would hide other faults.
    await world.shop.db.delete(rateLimits)
    // So would a full bag.
    await world.shop.db.delete(cartItems)
    await fc.assert(
      fc.asyncProperty(wild(name), async (call) => {
        const answer = await send(name, call)
        expect(answer.statusCode, `${name}: ${answer.body.slice(0, 300)}`).toBeLessThan(500)
        expect(faultOf(answer), `${name}: ${answer.statusCode}`).toBeUndefined()
      }),
      { numRuns: RUNS },
    )
  }
})
