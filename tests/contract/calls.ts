import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { CARD_CALLS } from './card-calls.ts'
import { LISTENING_CALLS } from './listening-calls.ts'
import { MEMBERSHIP_CALLS } from './membership-calls.ts'
import { PURCHASE_CALLS } from './purchase-calls.ts'
import { aVisitor, everybody, get, ownerOnly, ownList, type SampleCall } from './sample-call.ts'
import type { CallerName, World } from './world.ts'

/** Passkeys need an authenticator: see server/features/account/passkeys.test.ts. */
const UNKNOWN_CHALLENGE = { challengeId: '00000000-0000-4000-8000-000000000000', response: {} }

const refresh = (url: string): SampleCall => ({
  statuses: everybody(200),
  request: async (world) => ({ url, payload: { refresh_token: await world.freshRefreshToken() } }),
})
/** The token in the link of the newest mail to an address. */
async function mailedToken({ shop }: World, email: string): Promise<string> {
  const [mail] = (await shop.app.inject(`/dev/mail.json?to=${email}`)).json()
  const links: string[] = mail.links
  return links
    .map((link) => /\/confirm\/(?:undo\.)?(.+)|\?token=(.+)/.exec(link))
    .find(Boolean)!
    .slice(1)
    .join('')
}
/** Confirms a change of address, and returns the token of the mail to the former address. */
async function undoToken(world: World): Promise<string> {
  const { shop } = world
  const user = await aUser(shop, { confirmedAt: shop.now() })
  const headers = { ...(await signedIn(shop, user)) }
  const { email } = aVisitor()
  const post = (url: string, payload: object) => shop.app.inject({ method: 'POST', url, headers, payload })
  await post(`/api/users/${user.id}/change-email`, { email, password: user.password })
  await post('/api/user_confirmation/confirm', { confirmationToken: await mailedToken(world, email) })
  return mailedToken(world, user.email)
}
/** The owner's own profile; 404 for the id of another user. */
const profile = (path: string, payload: Record<string, unknown>): SampleCall => ({
  statuses: ownerOnly,
  request: async ({ owner }) => ({ url: `/api/users/${owner.id}${path}`, payload }),
})
/**
 * A sample request for every endpoint, with the expected status for each kind of caller. A new endpoint needs a line
 * here, unless it is a public path without a parameter: that answers everybody.
 */
const LINES: Readonly<Record<string, SampleCall>> = {
  ...PURCHASE_CALLS,
  ...CARD_CALLS,
  ...MEMBERSHIP_CALLS,
  ...LISTENING_CALLS,
  'POST /api/login': {
    statuses: everybody(200),
    request: async ({ owner }) => ({
      url: '/api/login',
      payload: { email: owner.email, password: owner.password },
    }),
  },
  'POST /api/token/refresh': refresh('/api/token/refresh'),
  'POST /token/refresh': refresh('/token/refresh'),
  'POST /api/logout': { ...refresh('/api/logout'), statuses: everybody(204) },
  'GET /api/logged-user': get(ownList, () => '/api/logged-user'),

  'POST /api/users': {
    statuses: everybody(201),
    request: async () => ({ url: '/api/users', payload: aVisitor() }),
  },
  'POST /api/users/known': {
    statuses: everybody(200),
    request: async () => ({ url: '/api/users/known', payload: { email: 'nobody@murmur.example' } }),
  },
  'POST /api/ecommerce-register': {
    statuses: everybody(201),
    request: async () => ({ url: '/api/ecommerce-register', payload: { ...aVisitor(), terms: true } }),
  },
  'POST /api/user_confirmation/confirm': {
    statuses: everybody(200),
    request: async (world) => {
      const visitor = aVisitor()
      await world.shop.app.inject({ method: 'POST', url: '/api/users', payload: visitor })
      const confirmationToken = await mailedToken(world, visitor.email)
      const payload = { confirmationToken, password: visitor.password }
      return { url: '/api/user_confirmation/confirm', payload }
    },
  },
  'POST /api/user_confirmation/resend': {
    statuses: { ...everybody(204), visitor: 401 },
    request: async () => ({ url: '/api/user_confirmation/resend' }),
  },
  'POST /api/forgot_passwords': {
    statuses: everybody(201),
    request: async () => ({ url: '/api/forgot_passwords', payload: { email: aVisitor().email } }),
  },
  'PATCH /api/forgot_passwords/{id}': {
    statuses: everybody(200),
    request: async (world) => {
      const { email, id } = await aUser(world.shop)
      await world.shop.app.inject({ method: 'POST', url: '/api/forgot_passwords', payload: { email } })
      const payload = { resetToken: await mailedToken(world, email), password: 'a-new-password' }
      return { url: `/api/forgot_passwords/${id}`, payload }
    },
  },
  'PATCH /api/users/{id}': profile('', { city: 'Hull' }),
  'PATCH /api/users/{id}/newsletter-update': profile('/newsletter-update', { newsletter: true }),
  'PATCH /api/users/{id}/promotion-update': profile('/promotion-update', { promotions: true }),
  'PATCH /api/users/{id}/choice-emails-update': profile('/choice-emails-update', { choiceEmails: false }),
  'PATCH /api/users/{id}/listening-shown': profile('/listening-shown', { shown: true }),
  'PUT /api/users/{id}/change-password': {
    statuses: ownerOnly,
    request: async ({ owner: { id, password } }) => ({
      url: `/api/users/${id}/change-password`,
      payload: { oldPassword: password, newPassword: password },
    }),
  },
  'POST /api/users/{id}/prove': {
    statuses: { ...ownerOnly, owner: 204, outlet: 403 },
    request: async ({ owner: { id, password } }) => ({
      url: `/api/users/${id}/prove`,
      payload: { password },
    }),
  },
  'POST /api/passkeys/log-in/options': {
    statuses: everybody(200),
    request: async () => ({ url: '/api/passkeys/log-in/options' }),
  },
  'POST /api/passkeys/log-in': {
    statuses: everybody(422),
    request: async () => ({ url: '/api/passkeys/log-in', payload: UNKNOWN_CHALLENGE }),
  },
  'GET /api/passkeys': get(ownList, () => '/api/passkeys'),
  'POST /api/passkeys/options': {
    statuses: ownList,
    request: async () => ({ url: '/api/passkeys/options' }),
  },
  'POST /api/passkeys': {
    statuses: { visitor: 401, owner: 422, stranger: 422, member: 422, outlet: 422 },
    request: async () => ({ url: '/api/passkeys', payload: UNKNOWN_CHALLENGE }),
  },
  'DELETE /api/passkeys/{id}': {
    statuses: { visitor: 401, owner: 404, stranger: 404, member: 404, outlet: 404 },
    request: async () => ({ url: `/api/passkeys/${UNKNOWN_CHALLENGE.challengeId}` }),
  },
  'POST /api/passkeys/prove/options': {
    statuses: { visitor: 401, owner: 422, stranger: 422, member: 422, outlet: 422 },
    request: async () => ({ url: '/api/passkeys/prove/options' }),
  },
  'POST /api/passkeys/prove': {
    statuses: { visitor: 401, owner: 422, stranger: 422, member: 422, outlet: 422 },
    request: async () => ({ url: '/api/passkeys/prove', payload: UNKNOWN_CHALLENGE }),
  },
  'POST /api/users/{id}/choose-password': {
    // These accounts have a password.
    statuses: { ...ownerOnly, owner: 409, outlet: 403 },
    request: async ({ owner: { id } }) => ({
      url: `/api/users/${id}/choose-password`,
      payload: { newPassword: 'a-quiet-ferry' },
    }),
  },
  'POST /api/users/{id}/change-email': {
    statuses: ownerOnly,
    request: async ({ owner: { id, password } }) => ({
      url: `/api/users/${id}/change-email`,
      payload: { email: aVisitor().email, password },
    }),
  },
  'POST /api/users/{id}/change-email/resend': {
    statuses: { ...ownerOnly, owner: 204 },
    request: async ({ owner }) => ({ url: `/api/users/${owner.id}/change-email/resend` }),
  },
  'DELETE /api/users/{id}/change-email': {
    statuses: ownerOnly,
    request: async ({ owner }) => ({ url: `/api/users/${owner.id}/change-email` }),
  },
  'POST /api/email_changes/undo': {
    statuses: everybody(204),
    request: async (world) => ({
      url: '/api/email_changes/undo',
      payload: { token: await undoToken(world) },
    }),
  },
  // Uses an unknown id, because later calls still need the owner.
  'POST /api/users/{id}/delete-account': {
    statuses: { ...everybody(404), visitor: 401 },
    request: async () => ({
      url: `/api/users/${randomUUID()}/delete-account`,
      payload: { password: 'of-nobody' },
    }),
  },
  'GET /api/users/{id}/delete-account': get(
    ownerOnly,
    ({ owner }) => `/api/users/${owner.id}/delete-account`,
  ),
  'GET /api/users/{id}/export': get(ownerOnly, ({ owner }) => `/api/users/${owner.id}/export`),

  'GET /api/devices': get(ownList, () => '/api/devices'),
  'GET /api/audio_books/{slug}/chosen_by_finishers': get(
    ownList,
    ({ audioBook }) => `/api/audio_books/${audioBook.slug}/chosen_by_finishers`,
  ),
  'GET /api/suggested_audio_books': get(ownList, () => '/api/suggested_audio_books'),
  'PATCH /api/devices/{id}': {
    statuses: ownerOnly,
    request: async (world) => ({
      url: `/api/devices/${(await world.otherDevice()).id}`,
      payload: { name: 'Kitchen tablet' },
    }),
  },
  'POST /api/devices/{id}/log-out': {
    statuses: { ...ownerOnly, owner: 204 },
    request: async (world) => ({ url: `/api/devices/${(await world.otherDevice()).id}/log-out` }),
  },
  // Each caller would end their own sessions, but other calls still need the owner's.
  'POST /api/devices/log-out-others': {
    statuses: { ...everybody(204), visitor: 401 },
    request: async () => ({ url: '/api/devices/log-out-others' }),
  },

  // These callers are customers; read-only-views.test.ts calls it as staff.
  'POST /api/view/leave': {
    statuses: { ...everybody(404), visitor: 401 },
    request: async () => ({ url: '/api/view/leave' }),
  },

  'GET /api/audio_books/{slug}/tag_related': get(
    everybody(200),
    ({ audioBook }) => `/api/audio_books/${audioBook.slug}/tag_related`,
  ),
  'GET /api/e_books/{slug}/tag_related': get(
    everybody(200),
    ({ eBook }) => `/api/e_books/${eBook.slug}/tag_related`,
  ),
  'GET /api/audio_books/{slug}': get(everybody(200), ({ audioBook }) => `/api/audio_books/${audioBook.slug}`),
  'GET /api/e_books/{slug}': get(everybody(200), ({ eBook }) => `/api/e_books/${eBook.slug}`),
  'GET /api/audio_books/{slug}/murmurations': get(
    everybody(200),
    ({ audioBook }) => `/api/audio_books/${audioBook.slug}/murmurations`,
  ),
  'GET /api/series/{slug}': get(everybody(200), () => '/api/series/a-series'),
  'GET /api/catalogue_index': get(everybody(200), () => '/api/catalogue_index'),
  'GET /api/people/{slug}': get(everybody(200), () => '/api/people/ada-reed'),
  'GET /api/publishers/{slug}': get(everybody(200), () => '/api/publishers/a-publisher'),
  'GET /api/publishers/{slug}/audio_books': get(
    everybody(200),
    () => '/api/publishers/a-publisher/audio_books',
  ),
  'GET /api/articles/{id}': get(everybody(200), () => '/api/articles/an-article'),
  'GET /api/interviews/{id}': get(everybody(200), () => '/api/interviews/an-interview'),
  'GET /api/discussions/{id}': get(everybody(200), () => '/api/discussions/a-discussion'),
  'GET /api/info_pages/{slug}': get(everybody(200), () => '/api/info_pages/a-page'),
  'GET /api/settings/{name}': get(everybody(200), () => '/api/settings/1'),
  'GET /api/plan_prices': get(everybody(200), () => '/api/plan_prices'),
  'GET /api/payment_settings': get(everybody(200), () => '/api/payment_settings'),
  'POST /api/withdrawals': {
    statuses: everybody(201),
    request: async () => ({
      url: '/api/withdrawals',
      payload: { name: 'Una Reed', contract: 'M-100001', email: aVisitor().email, scope: null },
    }),
  },
  'POST /api/starter_packs': {
    statuses: everybody(204),
    request: async () => ({
      url: '/api/starter_packs',
      payload: {
        ...{ shop: 'Corner House Books', name: 'Una Reed', town: 'Whitby', packs: 1 },
        email: aVisitor().email,
      },
    }),
  },
  'POST /api/newsletters': {
    statuses: everybody(201),
    request: async () => ({ url: '/api/newsletters', payload: { email: 'reader@murmur.example' } }),
  },
  'POST /api/newsletters/confirm/{token}': {
    statuses: everybody(204),
    request: async () => ({ url: `/api/newsletters/confirm/${randomUUID()}` }),
  },
  'POST /api/newsletters/unsubscribe/{token}': {
    statuses: everybody(204),
    request: async () => ({ url: `/api/newsletters/unsubscribe/${randomUUID()}` }),
  },
  'GET /api/discussions/{id}/seats': get(everybody(200), () => '/api/discussions/a-discussion/seats'),
  'POST /api/discussions/{id}/seat': get(ownList, () => '/api/discussions/a-discussion/seat'),
  'DELETE /api/discussions/{id}/seat': get(ownList, () => '/api/discussions/a-discussion/seat'),
  'POST /api/discussions/{id}/seats': {
    statuses: everybody(204),
    request: async () => ({
      url: '/api/discussions/a-discussion/seats',
      payload: { email: aVisitor().email, name: 'Una Reed' },
    }),
  },
  'POST /api/seats/confirm/{token}': {
    statuses: everybody(404),
    request: async () => ({ url: `/api/seats/confirm/${randomUUID()}` }),
  },
  'POST /api/seats/give-back/{token}': {
    statuses: everybody(204),
    request: async () => ({ url: `/api/seats/give-back/${randomUUID()}` }),
  },
  'GET /api/seats': get(ownList, () => '/api/seats'),
  'POST /api/series/{slug}/notices': {
    statuses: everybody(204),
    request: async () => ({
      url: '/api/series/a-series/notices',
      payload: { email: 'reader@murmur.example' },
    }),
  },
  'POST /api/series_notices/confirm/{token}': {
    statuses: everybody(204),
    request: async () => ({ url: `/api/series_notices/confirm/${randomUUID()}` }),
  },
  'POST /api/series_notices/end/{token}': {
    statuses: everybody(204),
    request: async () => ({ url: `/api/series_notices/end/${randomUUID()}` }),
  },
  'GET /api/libraries': get(ownList, () => '/api/libraries'),
}

/** The line of an endpoint, or undefined if it has none. */
export function lineOf(name: string): SampleCall | undefined {
  const [method, path = ''] = name.split(' ')
  return (
    LINES[name] ?? (method === 'GET' && !path.includes('{') ? get(everybody(200), () => path) : undefined)
  )
}

/** Every call that the server has, by name (`GET /api/styles`), with its line. */
export async function servedCalls({ shop }: World): Promise<Map<string, SampleCall>> {
  const described = [...(await accessOfCalls(shop))]
  return new Map(
    described.map(([name, access]) => {
      const line = lineOf(name)
      if (!line) throw new Error(`${name} is served, but has no line in tests/contract/calls.ts.`)
      // The declared access decides whether a bookshop may call it; the line has the status for those that may.
      const outlet = access.some((one) => FOR_OUTLETS.has(one)) ? line.statuses.outlet : 403
      return [name, { ...line, statuses: { ...line.statuses, outlet } }]
    }),
  )
}

const FOR_OUTLETS = new Set(['public', 'open', 'outlet'])

/** Who may make each call, by its name. */
export async function accessOfCalls({ app }: Pick<World['shop'], 'app'>): Promise<Map<string, string[]>> {
  const { paths } = (await app.inject('/api/docs.json')).json<{
    paths: Record<string, Record<string, { 'x-access': string[] }>>
  }>()
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { 'x-access': access }]) => [`${method.toUpperCase()} ${path}`, access] as const,
      ),
    ),
  )
}

/** Makes the sample call of an endpoint as one of the callers. */
export async function makeCall(world: World, name: string, caller: CallerName, more: InjectOptions = {}) {
  const [method] = name.split(' ') as [NonNullable<InjectOptions['method']>]
  const { url, payload } = await lineOf(name)!.request(world)
  const { headers, ...rest } = more
  return world.shop.app.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    ...rest,
    headers: { ...world.headersOf(caller), ...headers },
  })
}
