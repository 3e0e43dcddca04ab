import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '#tests/support/builders.ts'
import { makeCall, servedCalls } from './calls.ts'
import type { SampleCall } from './sample-call.ts'
import { buildWorld, type World } from './world.ts'

let world: World
let calls: Map<string, SampleCall>

beforeAll(async () => {
  world = await buildWorld()
  calls = await servedCalls(world)
})
afterAll(() => world.shop.close())

const POST_TIME = 'POST /api/user_audio_book_times'
const json = { 'content-type': 'application/json' }
const asOwner = (options: InjectOptions) =>
  world.shop.app.inject({ ...options, headers: { ...world.headersOf('owner'), ...options.headers } })
const sendTime = (payload: string, headers: Record<string, string> = json) =>
  asOwner({ method: 'POST', url: '/api/user_audio_book_times', payload, headers })

type Answer = Awaited<ReturnType<World['shop']['app']['inject']>>

/** The status of an error response, as `404 Not Found`, after checking that it has the common error format. */
function told(answer: Answer): string {
  const { statusCode: status } = answer
  expect(answer.headers['content-type']).toBe('application/ld+json; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-store')
  const body = answer.json()
  expect(body).toMatchObject({
    status,
    code: status,
    type: `/errors/${status}`,
    'hydra:title': 'An error occurred',
  })
  for (const name of ['description', 'detail', 'hydra:description'])
    expect(body[name], name).toBe(body.message)
  expect(answer.body).not.toMatch(/node_modules|\bat \w+ \(|select |insert /i)
  return `${status} ${body.message}`
}

test('API-05: 400 says what cannot be read', async () => {
  expect(told(await sendTime('{"seconds": '))).toMatch(/^400 .*(?:JSON|body)/i)
  expect(told(await sendTime('[]'))).toMatch(/^400 .*object/)
  expect(
    told(await sendTime(JSON.stringify({ audioBook: '/api/audio_books/a', chapter: '1', seconds: 1 }))),
  ).toMatch(/^400 chapter: /)
  expect(told(await asOwner({ url: '/api/libraries?page=0' }))).toMatch(/^400 .*page/)
  expect(told(await asOwner({ url: '/api/libraries?itemsPerPage=-1' }))).toMatch(/^400 .*itemsPerPage/)
})

test('API-05: 401 says whether a token is missing or wrong, and how to sign in', async () => {
  const missing = await makeCall(world, 'GET /api/libraries', 'visitor')
  expect(told(missing)).toMatch(/^401 JWT Token not found$/)
  expect(missing.headers['www-authenticate']).toBe('Bearer')
  expect(told(await asOwner({ url: '/api/libraries', headers: { xtoken: 'Bearer x' } }))).toMatch(
    /^401 Invalid JWT Token$/,
  )
})

test('API-05: 404 is an unknown address and an unknown thing alike', async () => {
  expect(told(await asOwner({ url: '/api/no-such-call' }))).toMatch(/^404 .*not found/i)
  expect(told(await asOwner({ url: '/api/audio_books/no-such-book' }))).toMatch(/^404 .*not found/i)
})

test('API-05: 405 names what is allowed instead, for every address', async () => {
  for (const name of calls.keys()) {
    const [method, path] = name.split(' ') as [string, string]
    const wrong = (['PUT', 'DELETE', 'PATCH', 'POST'] as const).find((verb) => !calls.has(`${verb} ${path}`))!
    const answer = await asOwner({ method: wrong, url: path.replaceAll(/\{\w+\}/g, 'x'), payload: {} })
    expect(told(answer)).toMatch(/^405 .*Method Not Allowed/)
    expect(answer.headers.allow).toContain(method)
  }
})

test('API-05: 413 refuses a body beyond 64 KiB before reading it', async () => {
  const answer = await sendTime(JSON.stringify({ audioBook: 'x'.repeat(70_000) }))
  expect(told(answer)).toMatch(/^413 .*too large/)
})

test('API-05: 415 names the types that are understood', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])
    expect(told(await sendTime('seconds=1', { 'content-type': type }))).toMatch(
      /^415 .*application\/ld\+json/,
    )
})

test('API-05: 422 names each field that breaks a rule', async () => {
  const answer = await sendTime(JSON.stringify({ audioBook: 'somewhere', chapter: 1, seconds: 1 }))
  expect(told(answer)).toMatch(/^422 audioBook: /)
  expect(answer.json()).toMatchObject({
    '@type': 'ConstraintViolationList',
    violations: [{ propertyPath: 'audioBook' }],
  })
  expect(told(await sendTime('{}'))).toMatch(/^422 .*audioBook/)
})

test('API-05: 429 says when to come back', async () => {
  const { email } = await aUser(world.shop)
  const guess = () =>
    world.shop.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: 'wrong' } })
  for (let attempt = 0; attempt < 5; attempt++)
    expect(told(await guess())).toMatch(/^401 Invalid credentials\.$/)
  const answer = await guess()
  expect(told(answer)).toMatch(/^429 .*try again in/)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
})

test('a field that the contract does not name is refused by every call that takes a body', async () => {
  const writes = [...calls].filter(([name]) => !name.startsWith('GET'))
  for (const [name, call] of writes) {
    const { payload } = await call.request(world)
    if (!payload) continue
    const answer = await makeCall(world, name, call.by ?? 'owner', {
      payload: { ...payload, isOwner: true },
    })
    expect(told(answer)).toMatch(/^400 isOwner: /)
  }
})

test('a body cannot reach an object’s prototype', async () => {
  const place = JSON.stringify({
    audioBook: `/api/audio_books/${world.audioBook.slug}`,
    chapter: 1,
    seconds: 1,
  })
  for (const poison of ['"__proto__": {"userId": "x"}', '"constructor": {"prototype": {"userId": "x"}}'])
    expect(told(await sendTime(place.replace('{', `{${poison}, `)))).toMatch(/^400 .*(?:prototype|json)/i)
  expect(({} as Record<string, unknown>).userId).toBeUndefined()
})

test('a call that needs a body explains its refusal when the body is missing', async () => {
  const answer = await makeCall(world, POST_TIME, 'owner', { payload: '' })
  expect(answer.statusCode).toBeOneOf([400, 415])
  expect(answer.json().message).not.toBe('')
})

test('without signing in, a personal call does not reveal its parameters', async () => {
  for (const [name, { statuses }] of calls) {
    if (name.startsWith('GET') || statuses.visitor !== 401) continue
    const answer = await makeCall(world, name, 'visitor', { payload: '{"broken":', headers: json })
    expect(told(answer)).toMatch(/^401 .*JWT Token not found/)
  }
})
