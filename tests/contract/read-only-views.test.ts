import { globSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { logbook } from '#server/db/schema/logbook.ts'
import { anAudioBook, aUser, inLibrary, signedIn, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let wilf: StaffSession
let rosa: TestUser
let endpoints: readonly Endpoint[]
let view: { xtoken: string }

const ROOT = join(import.meta.dirname, '../..')
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

async function opened(): Promise<{ xtoken: string }> {
  const { token } = (await wilf.ask('POST', `/api/office/people/${rosa.id}/view`)).json()
  return { xtoken: `Bearer ${token}` }
}

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
  wilf = await signedInStaff(shop, 'support', { name: 'Wilf Garrity' })
  rosa = await aUser(shop, { firstName: 'Rosa', lastName: 'Lind' })
  await inLibrary(shop, rosa, await anAudioBook(shop, { title: 'Thrift' }))
  const modules: Record<string, unknown>[] = await Promise.all(
    globSync('contract/*.ts', { cwd: ROOT }).map((file) => import(join(ROOT, file))),
  )
  endpoints = modules.flatMap((each) => Object.values(each).filter(isEndpoint))
  view = await opened()
})
afterAll(() => shop.close())

const send = ({ method, path, body }: Endpoint, headers: Record<string, string>) =>
  shop.app.inject({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? rosa.id : randomUUID())),
    headers,
    ...(body ? { payload: {} } : {}),
  })

test('OFFICE-20: staff who view the shop as a customer change nothing: every endpoint but a GET is refused, by both headers', async () => {
  const changing = endpoints.filter(({ method, endsView }) => method !== 'GET' && !endsView)
  expect(changing.length).toBeGreaterThan(50)
  for (const endpoint of changing)
    for (const headers of [{ ...view }, { authorization: view.xtoken }]) {
      const answer = await send(endpoint, headers)
      expect([answer.statusCode, answer.json()['hydra:description']], nameOf(endpoint)).toEqual([
        403,
        'You see the shop as somebody else. Nothing can be changed.',
      ])
    }
  const own = { ...(await signedIn(shop, rosa)) }
  const changed = await shop.app.inject({
    method: 'PATCH',
    url: `/api/users/${rosa.id}`,
    headers: own,
    payload: { city: 'Whitby' },
  })
  expect(changed.statusCode).toBe(200)
})

test('OFFICE-20: a view shows the library and the account, and nothing of listening; nothing is started at the provider', async () => {
  const refused: string[] = []
  for (const endpoint of endpoints.filter(({ method, access }) => method === 'GET' && access === 'user'))
    if ((await send(endpoint, { ...view })).statusCode === 403) refused.push(nameOf(endpoint))
  // A new endpoint that shows what a customer listens to, reads or marks belongs here (`notInView`).
  expect(refused.sort()).toEqual([
    'GET /api/setup-intent',
    'GET /api/subscription_intents',
    'GET /api/suggested_audio_books',
    'GET /api/user_audio_book_times',
    'GET /api/user_audio_book_times/{id}/history',
    'GET /api/user_bookmarks',
    'GET /api/user_bookmarks/{id}/history',
    'GET /api/user_chapter_times',
    'GET /api/user_e_book_places',
    'GET /api/user_highlights',
    'GET /api/user_highlights/{id}/history',
    'GET /api/user_queue',
    'GET /api/user_shelf_titles',
    'GET /api/user_shelves',
    'GET /api/users/{id}/export',
  ])
  const ask = (url: string) => shop.app.inject({ url, headers: view })
  expect((await ask('/api/libraries')).json()['hydra:totalItems']).toBe(1)
  const me = (await ask('/api/logged-user')).json()
  expect(me.fullName).toBe('Rosa Lind')
  const feed = await shop.app.inject({
    url: `/.well-known/mercure?topic=x`,
    headers: { authorization: `Bearer ${me.jwtMercuryToken}` },
  })
  expect(feed.statusCode).toBe(403)
})

test('OFFICE-20: a view is in the person’s list of log-ins and in the log, needs the passkey, ends after half an hour, when staff leave it and when they log it out', async () => {
  const own = { ...(await signedIn(shop, rosa)) }
  const list = async () =>
    (await shop.app.inject({ url: '/api/devices', headers: own })).json()['hydra:member'] as {
      id: string
      name: string
    }[]
  const seen = (await list()).filter(({ name }) => name.includes('Wilf Garrity'))
  expect(seen.map(({ name }) => name)).toEqual(['Wilf Garrity, who helps you, sees the shop as you'])
  const entries = await shop.db.select().from(logbook).where(eq(logbook.userId, rosa.id))
  expect(entries).toMatchObject([{ command: 'people view', by: 'Wilf Garrity', outcome: 'done' }])
  const stale = await signedInStaff(shop, 'support', { confirmed: false })
  expect((await stale.ask('POST', `/api/office/people/${rosa.id}/view`)).statusCode).toBe(403)

  const status = async (headers: { xtoken: string }) =>
    (await shop.app.inject({ url: '/api/logged-user', headers })).statusCode
  const out = await shop.app.inject({
    method: 'POST',
    url: `/api/devices/${seen[0]!.id}/log-out`,
    headers: own,
  })
  expect(out.statusCode).toBe(204)
  expect(await status(view)).toBe(401)

  const left = await opened()
  const leave = (headers: Record<string, string>) =>
    shop.app.inject({ method: 'POST', url: '/api/view/leave', headers })
  expect((await leave(own)).statusCode).toBe(404)
  expect([(await leave(left)).statusCode, await status(left)]).toEqual([204, 401])
  expect((await list()).filter(({ name }) => name.includes('Wilf Garrity'))).toEqual([])

  const [row] = await shop.db.select().from(sessions).where(eq(sessions.id, seen[0]!.id))
  expect(row!.endsAt.getTime() - row!.createdAt.getTime()).toBe(30 * 60_000)
  const other = await opened()
  const before = new Date(shop.now().getTime() - 1)
  await shop.db.update(sessions).set({ expiresAt: before }).where(eq(sessions.viewedBy, 'Wilf Garrity'))
  expect(await status(other)).toBe(401)
})
