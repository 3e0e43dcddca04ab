import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { CONFIRM_AGAIN } from '#contract/limits.ts'
import { PERMISSIONS, type Role, roleMay, ROLES } from '#contract/office/permissions.ts'
import { staff, staffSessions } from '#server/db/schema/staff.ts'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { officeHeaders, signedInStaff } from '#tests/support/staff.ts'

let shop: TestShop
let endpoints: readonly Endpoint[]

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '1' } })
  shop.app.log.level = 'silent'
  const files = globSync('contract/office/*.ts', { cwd: join(import.meta.dirname, '../..') })
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(import.meta.dirname, '../..', file))),
  )
  endpoints = modules.flatMap((each) => Object.values(each).filter(isEndpoint))
})
afterAll(() => shop.close())

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const ofStaff = () => endpoints.filter(({ access }) => access === 'staff')

/** Sends ids that don't exist, so that a permitted caller gets 404 or 422 and changes nothing. */
function send(endpoint: Endpoint, headers: Record<string, string>) {
  const { method, path, body } = endpoint
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    JSON.stringify(endpoint.params ?? {}).includes(`"${name}":{"type":"integer"`)
      ? '2147483000'
      : randomUUID(),
  )
  return shop.app.inject({ method, url, headers, ...(body ? { payload: {} } : {}) })
}

test('every call of the office is served, needs staff or is one of those that let them in, and names a permission', () => {
  expect(endpoints.length).toBeGreaterThan(15)
  for (const endpoint of endpoints) {
    const url = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    expect(shop.app.hasRoute({ method: endpoint.method, url }), nameOf(endpoint)).toBe(true)
  }
  expect(
    endpoints
      .filter(({ access }) => access !== 'staff')
      .map(nameOf)
      .sort(),
  ).toEqual([
    'POST /api/office/invitations/accept',
    'POST /api/office/invitations/open',
    'POST /api/office/invitations/options',
    'POST /api/office/sign-in',
    'POST /api/office/sign-in/options',
    'POST /api/office/sign-in/recovery',
  ])
  const unnamed = ofStaff().filter(({ may }) => may !== null && !(may !== undefined && may in PERMISSIONS))
  expect(unnamed.map(nameOf)).toEqual([])
  const unguarded = ofStaff().filter(
    ({ path, fresh }) => /\/(export|refunds?|close|void|replace|view|send)$/.test(path) && !fresh,
  )
  expect(unguarded.map(nameOf)).toEqual([])
})

test('each role may call what the table of permissions says, and nothing else', async () => {
  const found: Record<string, Record<string, string>> = {}
  const agreed: typeof found = {}
  for (const endpoint of ofStaff()) {
    const name = nameOf(endpoint)
    found[name] = {}
    agreed[name] = {}
    for (const role of ROLES) {
      const { headers } = await signedInStaff(shop, role)
      const { statusCode } = await send(endpoint, { ...headers })
      found[name][role] =
        statusCode === 403 ? 'refused' : statusCode < 500 && statusCode !== 401 ? 'may' : String(statusCode)
      agreed[name][role] = !endpoint.may || roleMay(role, endpoint.may) ? 'may' : 'refused'
    }
  }
  expect(found).toEqual(agreed)
})

test('no credentials, a customer’s token and an unknown cookie get 401 for every staff endpoint', async () => {
  const user = await aUser(shop)
  const customer = { ...officeHeaders(shop), ...(await signedIn(shop, user)) }
  for (const endpoint of ofStaff())
    for (const headers of [officeHeaders(shop), customer, officeHeaders(shop, 'guessed')])
      expect((await send(endpoint, headers)).statusCode, nameOf(endpoint)).toBe(401)
})

test('another site can call nothing, with the cookie or without, and neither can a page that hides where it is', async () => {
  const { headers } = await signedInStaff(shop)
  const { origin: _, ...without } = headers
  for (const endpoint of endpoints) {
    const name = nameOf(endpoint)
    for (const foreign of [
      { ...headers, origin: 'https://evil.example' },
      { ...headers, origin: 'null' },
      { ...headers, 'sec-fetch-site': 'cross-site' },
      { ...headers, 'sec-fetch-site': 'same-site' },
      ...(endpoint.method === 'GET' ? [] : [without, { ...without, 'sec-fetch-site': 'none' }]),
    ])
      expect((await send(endpoint, foreign)).statusCode, `${name} ${JSON.stringify(foreign)}`).toBe(403)
  }
})

test('a stolen cookie without its passkey moves no money, changes no role and exports nothing', async () => {
  const { headers } = await signedInStaff(shop, 'owner', { confirmed: false })
  const fresh = ofStaff().filter((endpoint) => endpoint.fresh)
  expect(fresh.map(nameOf)).toEqual(
    expect.arrayContaining([
      'PATCH /api/office/team/{id}',
      'POST /api/office/team/invitations',
      'GET /api/office/activity/export',
    ]),
  )
  for (const endpoint of fresh) {
    const answer = await send(endpoint, { ...headers })
    expect([answer.statusCode, answer.json().type], nameOf(endpoint)).toEqual([403, CONFIRM_AGAIN])
  }
  // Else a thief would add a passkey of their own, and confirm with that.
  const added = await shop.app.inject({ method: 'POST', url: '/api/office/passkeys/options', headers })
  expect([added.statusCode, added.json().type]).toEqual([403, CONFIRM_AGAIN])
})

test('no page of the office can be framed, and none runs a script that isn’t its own', async () => {
  for (const url of ['/office', '/office/orders/M-100001/refund', '/office/welcome']) {
    const { headers } = await shop.app.inject({ url, headers: { accept: 'text/html' } })
    const policy = String(headers['content-security-policy'])
    expect(headers['x-frame-options'], url).toBe('DENY')
    expect(policy, url).toContain("frame-ancestors 'none'")
    expect(policy, url).not.toMatch(/script-src[^;]*'unsafe/)
  }
})

test('a session ends after twelve hours, when it is ended, and when its person leaves the team', async () => {
  const me = async (role: Role, change: (id: string) => Promise<unknown>) => {
    const { id, headers } = await signedInStaff(shop, role)
    await change(id)
    return (await shop.app.inject({ url: '/api/office/me', headers })).statusCode
  }
  const past = new Date(shop.now().getTime() - 1)
  expect(await me('support', async () => undefined)).toBe(200)
  expect(
    await me('support', (id) =>
      shop.db.update(staffSessions).set({ endsAt: past }).where(eq(staffSessions.staffId, id)),
    ),
  ).toBe(401)
  expect(
    await me('support', (id) =>
      shop.db.update(staffSessions).set({ endedAt: past }).where(eq(staffSessions.staffId, id)),
    ),
  ).toBe(401)
  expect(
    await me('support', (id) => shop.db.update(staff).set({ removedAt: past }).where(eq(staff.id, id))),
  ).toBe(401)
})

test('no answer of the office is stored by a browser, a proxy or the server', async () => {
  const { headers } = await signedInStaff(shop)
  for (const endpoint of ofStaff().filter(({ method, path }) => method === 'GET' && !path.includes('{'))) {
    const answer = await send(endpoint, { ...headers })
    expect(answer.headers['cache-control'], nameOf(endpoint)).toMatch(/no-store/)
  }
})
