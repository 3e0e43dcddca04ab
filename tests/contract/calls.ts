import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { aUser } from '#tests/support/builders.ts'
import { PURCHASE_CALLS } from './purchase-calls.ts'
import { aVisitor, everybody, get, ownerOnly, ownList, type SampleCall } from './sample-call.ts'
import type { CallerName, World } from './world.ts'

const refresh = (url: string): SampleCall => ({
  statuses: everybody(200),
  request: async (world) => ({ url, payload: { refresh_token: await world.freshRefreshToken() } }),
})
/** What the newest mail to an address carries in its link. */
async function mailedToken({ shop }: World, email: string): Promise<string> {
  const [mail] = (await shop.app.inject(`/dev/mail.json?to=${email}`)).json()
  const links: string[] = mail.links
  return links
    .map((link) => /\/confirm\/(.+)|\?token=(.+)/.exec(link))
    .find(Boolean)!
    .slice(1)
    .join('')
}
/** The owner's own; of an id that is not the caller's, nothing is there. */
const profile = (path: string, payload: Record<string, unknown>): SampleCall => ({
  statuses: ownerOnly,
  request: async ({ owner }) => ({ url: `/api/users/${owner.id}${path}`, payload }),
})
const place = (world: World) => ({
  audioBook: `/api/audio_books/${world.audioBook.slug}`,
  chapter: 1,
  seconds: 31,
})
const readingPlace = (world: World) => ({
  eBook: `/api/e_books/${world.eBook.slug}`,
  locator: 'epubcfi(/6/4!/4/2)',
  share: 0.25,
})

/**
 * One call of every endpoint, and who is answered how. A new endpoint needs a line here, unless it is a public
 * address without a parameter: that answers everybody.
 */
const LINES: Readonly<Record<string, SampleCall>> = {
  ...PURCHASE_CALLS,
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
      return { url: '/api/user_confirmation/confirm', payload: { confirmationToken } }
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
  'PUT /api/users/{id}/change-password': {
    statuses: ownerOnly,
    request: async ({ owner: { id, password } }) => ({
      url: `/api/users/${id}/change-password`,
      payload: { oldPassword: password, newPassword: password },
    }),
  },
  // Of nobody: the owner is still needed.
  'POST /api/users/{id}/delete-account': {
    statuses: { ...everybody(404), visitor: 401 },
    request: async () => ({ url: `/api/users/${randomUUID()}/delete-account` }),
  },
  'GET /api/users/{id}/export': get(ownerOnly, ({ owner }) => `/api/users/${owner.id}/export`),

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
  'GET /api/payment_settings': get(everybody(200), () => '/api/payment_settings'),
  'POST /api/newsletters': {
    statuses: everybody(201),
    request: async () => ({ url: '/api/newsletters', payload: { email: 'reader@murmur.example' } }),
  },
  'POST /api/newsletters/unsubscribe/{token}': {
    statuses: everybody(204),
    request: async () => ({ url: `/api/newsletters/unsubscribe/${randomUUID()}` }),
  },
  'GET /api/libraries': get(ownList, () => '/api/libraries'),

  'GET /api/user_audio_book_times': get(ownList, () => '/api/user_audio_book_times'),
  'POST /api/user_audio_book_times': {
    statuses: ownerOnly,
    request: async (world) => ({ url: '/api/user_audio_book_times', payload: place(world) }),
  },
  'PATCH /api/user_audio_book_times/{id}': {
    statuses: ownerOnly,
    request: async ({ bookTimeId }) => ({
      url: `/api/user_audio_book_times/${bookTimeId}`,
      payload: { chapter: 1, seconds: 32 },
    }),
  },
  'GET /api/user_audio_book_times/{id}/history': get(
    ownerOnly,
    ({ bookTimeId }) => `/api/user_audio_book_times/${bookTimeId}/history`,
  ),
  'GET /api/user_chapter_times': get(ownList, () => '/api/user_chapter_times'),
  'POST /api/user_chapter_times': {
    statuses: ownerOnly,
    request: async (world) => ({ url: '/api/user_chapter_times', payload: place(world) }),
  },
  'PATCH /api/user_chapter_times/{id}': {
    statuses: ownerOnly,
    request: async ({ chapterTimeId }) => ({
      url: `/api/user_chapter_times/${chapterTimeId}`,
      payload: { chapter: 1, seconds: 33 },
    }),
  },
  'GET /api/user_e_book_places': get(ownList, () => '/api/user_e_book_places'),
  'POST /api/user_e_book_places': {
    statuses: ownerOnly,
    request: async (world) => ({ url: '/api/user_e_book_places', payload: readingPlace(world) }),
  },
}

/** The line of an endpoint; undefined where one is missing. */
export function lineOf(name: string): SampleCall | undefined {
  const [method, path = ''] = name.split(' ')
  return (
    LINES[name] ?? (method === 'GET' && !path.includes('{') ? get(everybody(200), () => path) : undefined)
  )
}

/** Every call that a shop serves, with its line, as `GET /api/styles`. */
export async function servedCalls({ shop }: World): Promise<Map<string, SampleCall>> {
  const { paths } = (await shop.app.inject('/api/docs.json')).json<{ paths: Record<string, object> }>()
  const names = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  return new Map(
    names.map((name) => {
      const line = lineOf(name)
      if (!line) throw new Error(`${name} is served, but has no line in tests/contract/calls.ts.`)
      return [name, line]
    }),
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
