import type { InjectOptions } from 'fastify'
import type { CallerName, World } from './world.ts'

type Statuses = Readonly<Record<CallerName, number>>

export interface SampleCall {
  readonly statuses: Statuses
  /** A call about something of the owner's that its owner may make. */
  request(world: World): Promise<{ url: string; payload?: Record<string, unknown> }>
}

const everybody = (status: number): Statuses => ({
  visitor: status,
  owner: status,
  stranger: status,
  outlet: status,
})
/** Somebody else's is not there, for everybody who has not signed in it is closed. */
const ownerOnly: Statuses = { visitor: 401, owner: 200, stranger: 404, outlet: 404 }
/** Everybody's own, which for the others is an empty list. */
const ownList: Statuses = { visitor: 401, owner: 200, stranger: 200, outlet: 200 }

const get = (statuses: Statuses, url: (world: World) => string): SampleCall => ({
  statuses,
  request: async (world) => ({ url: url(world) }),
})
const refresh = (url: string): SampleCall => ({
  statuses: everybody(200),
  request: async (world) => ({ url, payload: { refresh_token: await world.freshRefreshToken() } }),
})
const place = (world: World) => ({
  audioBook: `/api/audio_books/${world.audioBook.slug}`,
  chapter: 1,
  seconds: 31,
})

/** One call of every endpoint, and who is answered how. A new endpoint needs a line here. */
export const CALLS: Readonly<Record<string, SampleCall>> = {
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

  'GET /api/audio_books': get(everybody(200), () => '/api/audio_books'),
  'GET /api/e_books': get(everybody(200), () => '/api/e_books'),
  'GET /api/audio_books/second_editions': get(everybody(200), () => '/api/audio_books/second_editions'),
  'GET /api/audio_books/latest': get(everybody(200), () => '/api/audio_books/latest'),
  'GET /api/audio_books/{slug}/tag_related': get(
    everybody(200),
    ({ audioBook }) => `/api/audio_books/${audioBook.slug}/tag_related`,
  ),
  'GET /api/e_books/{slug}/tag_related': get(
    everybody(200),
    ({ eBook }) => `/api/e_books/${eBook.slug}/tag_related`,
  ),
  'GET /api/home_panels_featured_audio_books': get(
    everybody(200),
    () => '/api/home_panels_featured_audio_books',
  ),
  'GET /api/audio_books/{slug}': get(everybody(200), ({ audioBook }) => `/api/audio_books/${audioBook.slug}`),
  'GET /api/e_books/{slug}': get(everybody(200), ({ eBook }) => `/api/e_books/${eBook.slug}`),
  'GET /api/styles': get(everybody(200), () => '/api/styles'),
  'GET /api/publishers': get(everybody(200), () => '/api/publishers'),
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
}

/** Makes the sample call of an endpoint as one of the callers. */
export async function makeCall(world: World, name: string, caller: CallerName, more: InjectOptions = {}) {
  const [method] = name.split(' ') as [NonNullable<InjectOptions['method']>]
  const { url, payload } = await CALLS[name]!.request(world)
  const { headers, ...rest } = more
  return world.shop.app.inject({
    method,
    url,
    ...(payload ? { payload } : {}),
    ...rest,
    headers: { ...world.headersOf(caller), ...headers },
  })
}
