import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAudioBook, aUser, inLibrary, signedIn } from '#tests/support/builders.ts'
import { accessOfCalls, makeCall, servedCalls } from './calls.ts'
import type { SampleCall } from './sample-call.ts'
import { buildWorld, CALLERS, type World } from './world.ts'

let world: World
let calls: Map<string, SampleCall>
/** The owner's personal data, collected before the calls are made. */
let secrets: unknown[]
/** The responses to each call, by caller. */
const answered = new Map<string, Record<string, Awaited<ReturnType<typeof makeCall>>>>()

beforeAll(async () => {
  world = await buildWorld()
  calls = await servedCalls(world)
  secrets = await secretsOfOwner()
  for (const name of calls.keys()) {
    const answers: Record<string, Awaited<ReturnType<typeof makeCall>>> = {}
    for (const caller of CALLERS) answers[caller] = await makeCall(world, name, caller)
    answered.set(name, answers)
  }
})
afterAll(() => world.shop.close())

const personalCalls = () =>
  [...calls].filter(([, { statuses }]) => statuses.visitor === 401).map(([name]) => name)

test('every call answers each kind of caller as agreed', async () => {
  const agreed = Object.fromEntries([...calls].map(([name, { statuses }]) => [name, { ...statuses }]))
  const said = Object.fromEntries(
    [...answered].map(([name, answers]) => [
      name,
      Object.fromEntries(Object.entries(answers).map(([caller, { statusCode }]) => [caller, statusCode])),
    ]),
  )
  expect(said).toEqual(agreed)
  expect(personalCalls().length).toBeGreaterThan(8)
})

test('ROLE-14: a bookshop has what is public, its own record and its password, its cards and its account, and nothing else', async () => {
  const own = [...(await accessOfCalls(world.shop))]
    .filter(([, access]) => access.includes('outlet'))
    .map(([name]) => name)
  expect(own.sort()).toEqual([
    'DELETE /api/users/{id}/change-email',
    'GET /api/audiobook-cards/activations',
    'GET /api/logged-user',
    'GET /api/outlet/account',
    'GET /api/outlet/additions',
    'GET /api/outlet/statements',
    'GET /api/outlet/statements/{id}',
    'GET /api/users/{id}/export',
    'PATCH /api/forgot_passwords/{id}',
    'PATCH /api/users/{id}',
    'POST /api/audiobook-cards/activate',
    'POST /api/audiobook-cards/activations/{id}/take-back',
    'POST /api/audiobook-cards/find-activation',
    'POST /api/user_confirmation/confirm',
    'POST /api/user_confirmation/resend',
    'POST /api/users/{id}/change-email',
    'POST /api/users/{id}/change-email/resend',
    'POST /api/view/leave',
    'PUT /api/users/{id}/change-password',
  ])
  const bag = await makeCall(world, 'POST /api/cart_items', 'outlet')
  expect([bag.statusCode, bag.json().detail]).toEqual([403, 'Access Denied.'])
})

test('an invalid token, an empty one and one of an ended session are refused by every personal call', async () => {
  const { shop } = world
  const leaver = await aUser(shop)
  const login = { email: leaver.email, password: leaver.password }
  const pair = (await shop.app.inject({ method: 'POST', url: '/api/login', payload: login })).json()
  await shop.app.inject({
    method: 'POST',
    url: '/api/logout',
    payload: { refresh_token: pair.refresh_token },
  })
  for (const name of personalCalls())
    for (const xtoken of [`Bearer ${pair.token}`, 'Bearer nonsense', 'nonsense', '']) {
      const answer = await makeCall(world, name, 'visitor', { headers: { xtoken } })
      expect(answer.statusCode, `${name} with '${xtoken.slice(0, 12)}'`).toBe(401)
    }
})

test('an expired token does not prevent logging in, renewing it or logging out', async () => {
  for (const name of ['POST /api/login', 'POST /api/token/refresh', 'POST /api/logout']) {
    const answer = await makeCall(world, name, 'visitor', { headers: { xtoken: 'Bearer expired' } })
    expect(answer.statusCode, name).toBeLessThan(300)
  }
})

async function secretsOfOwner(): Promise<unknown[]> {
  const { order } = (await makeCall(world, 'POST /api/carts/{id}/checkout', 'owner')).json()
  const headers = world.headersOf('owner')
  const cart = (await world.shop.app.inject({ url: '/api/carts/own', headers })).json()
  const { download } = (await makeCall(world, 'GET /api/audio_books/{slug}', 'owner')).json()
  return [
    world.owner.id,
    world.owner.email,
    world.bookTimeId,
    world.chapterTimeId,
    order,
    cart.uuid,
    cart.items[0].uuid,
    download,
  ]
}

test('API-98: responses to other callers don’t contain the owner’s personal data', () => {
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 8)).toBe(true)
  for (const name of [...calls.keys()].filter((call) => call.startsWith('GET')))
    for (const caller of ['visitor', 'stranger', 'outlet'] as const) {
      const { body } = answered.get(name)![caller]!
      for (const secret of secrets) expect(body.includes(String(secret)), `${name} as ${caller}`).toBe(false)
    }
})

test('only the owner gets the audio’s URLs', async () => {
  for (const caller of CALLERS) {
    const book = (await makeCall(world, 'GET /api/audio_books/{slug}', caller)).json()
    expect(book.audioFiles.length > 0, caller).toBe(caller === 'owner')
    expect(book.download === null, caller).toBe(caller !== 'owner')
  }
})

test('an embargoed book is 403 for everyone but its owner', async () => {
  const { shop } = world
  const book = await anAudioBook(shop, { embargoed: true })
  const buyer = await aUser(shop)
  await inLibrary(shop, buyer, book)
  const statusFor = async (headers: Record<string, string>) =>
    (await shop.app.inject({ url: `/api/audio_books/${book.slug}`, headers })).statusCode
  expect(await statusFor({})).toBe(403)
  expect(await statusFor(world.headersOf('stranger'))).toBe(403)
  expect(await statusFor({ ...(await signedIn(shop, buyer)) })).toBe(200)
})

test('an unknown id of any format is 404', async () => {
  const { shop } = world
  for (const id of [randomUUID(), '1', '%00', 'a'.repeat(64), '..%2f..'])
    for (const [path, payload] of [
      ['user_audio_book_times', { chapter: 1, seconds: 1 }],
      ['user_chapter_times', { chapter: 1, seconds: 1 }],
      ['user_bookmarks', { note: '' }],
      ['user_highlights', { note: '' }],
    ] as const) {
      const answer = await shop.app.inject({
        method: 'PATCH',
        url: `/api/${path}/${id}`,
        headers: world.headersOf('owner'),
        payload,
      })
      expect(answer.statusCode, `${path} ${id}`).toBe(404)
    }
})

test('a personal response is not cacheable, a public one has the right Vary header', async () => {
  const personal = await makeCall(world, 'GET /api/libraries', 'owner')
  expect(personal.headers['cache-control']).toBe('private, no-store')
  const shared = await makeCall(world, 'GET /api/audio_books', 'visitor')
  expect(String(shared.headers.vary).toLowerCase()).toContain('xtoken')
  const own = await makeCall(world, 'GET /api/audio_books', 'owner')
  expect(own.headers['cache-control']).toBe('private, no-store')
})
