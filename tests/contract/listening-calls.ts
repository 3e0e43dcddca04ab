import { randomUUID } from 'node:crypto'
import { inLibrary } from '#tests/support/builders.ts'
import { anInStepTitle } from '#tests/support/in-step.ts'
import { everybody, get, ownerOnly, ownList, type SampleCall } from './sample-call.ts'
import type { World } from './world.ts'

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

const highlight = ({ eBook }: Pick<World, 'eBook'>) => ({
  eBook: `/api/e_books/${eBook.slug}`,
  locator: 'epubcfi(/6/4!/4/2,/1:3,/1:20)',
  share: 0.25,
  quote: 'Marked words',
  chapter: 'One',
  note: 'A note',
})

/** About an analysed title that the owner has in both formats. */
const inStep = (statuses: SampleCall['statuses'], path: string): SampleCall => ({
  statuses,
  request: async ({ shop, owner }) => {
    const { audioBook, eBook } = await anInStepTitle(shop)
    for (const book of [audioBook, eBook]) await inLibrary(shop, owner, book, { source: 'free' })
    return { url: `/api/audio_books/${audioBook.slug}/in_step${path}` }
  },
})

/** Places, speeds, bookmarks, highlights, and where sentences are spoken. */
export const LISTENING_CALLS: Readonly<Record<string, SampleCall>> = {
  'GET /api/audio_books/{slug}/in_step': inStep(ownerOnly, ''),
  'GET /api/audio_books/{slug}/in_step/{chapter}.vtt': inStep(ownerOnly, '/1.vtt'),
  'GET /api/audio_books/{slug}/in_step/e_book': inStep(ownerOnly, '/e_book'),
  'GET /api/audio_books/{slug}/in_step/sample.vtt': inStep(everybody(200), '/sample.vtt'),
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
  'PUT /api/user_audio_book_times/{id}/speed': {
    statuses: ownerOnly,
    request: async ({ bookTimeId }) => ({
      url: `/api/user_audio_book_times/${bookTimeId}/speed`,
      payload: { speed: 1.5 },
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
  'PUT /api/sound_claims/{id}': {
    statuses: ownList,
    request: async (world) => ({
      url: `/api/sound_claims/${randomUUID()}`,
      payload: { ...place(world), deviceId: randomUUID(), agoSeconds: 0 },
    }),
  },
  'DELETE /api/sound_claims/{id}': {
    statuses: { visitor: 401, owner: 204, stranger: 204, member: 204, outlet: 204 },
    request: async () => ({ url: `/api/sound_claims/${randomUUID()}` }),
  },
  'GET /api/user_queue': get(ownList, () => '/api/user_queue'),
  'PUT /api/user_queue/{id}': {
    statuses: ownerOnly,
    request: async (world) => ({
      url: `/api/user_queue/${randomUUID()}`,
      payload: { audioBook: `/api/audio_books/${world.audioBook.slug}`, position: 'a0' },
    }),
  },
  'GET /api/user_shelves': get(ownList, () => '/api/user_shelves'),
  'PUT /api/user_shelves/{id}': {
    statuses: ownList,
    request: async () => ({
      url: `/api/user_shelves/${randomUUID()}`,
      payload: { name: 'For the winter', position: 'a0' },
    }),
  },
  'GET /api/user_shelf_titles': get(ownList, () => '/api/user_shelf_titles'),
  'PUT /api/user_shelf_titles/{id}': {
    statuses: ownerOnly,
    request: async (world) => ({
      url: `/api/user_shelf_titles/${randomUUID()}`,
      payload: { shelf: randomUUID(), title: `/api/e_books/${world.eBook.slug}`, position: 'a0' },
    }),
  },
  'GET /api/user_bookmarks': get(ownList, () => '/api/user_bookmarks'),
  'POST /api/user_bookmarks': {
    statuses: ownerOnly,
    request: async (world) => ({
      url: '/api/user_bookmarks',
      payload: { ...place(world), id: world.bookmarkId, note: 'A note' },
    }),
  },
  'PATCH /api/user_bookmarks/{id}': {
    statuses: ownerOnly,
    request: async ({ bookmarkId }) => ({
      url: `/api/user_bookmarks/${bookmarkId}`,
      payload: { note: 'Another note' },
    }),
  },
  'DELETE /api/user_bookmarks/{id}': {
    statuses: { visitor: 401, owner: 204, stranger: 404, member: 404, outlet: 404 },
    request: async (world) => ({ url: `/api/user_bookmarks/${await world.freshBookmark()}` }),
  },
  'GET /api/user_bookmarks/{id}/history': get(
    ownerOnly,
    ({ bookmarkId }) => `/api/user_bookmarks/${bookmarkId}/history`,
  ),
  'GET /api/user_highlights': get(ownList, () => '/api/user_highlights'),
  'POST /api/user_highlights': {
    statuses: ownerOnly,
    request: async (world) => ({
      url: '/api/user_highlights',
      payload: { ...highlight(world), id: world.highlightId },
    }),
  },
  'PATCH /api/user_highlights/{id}': {
    statuses: ownerOnly,
    request: async ({ highlightId }) => ({
      url: `/api/user_highlights/${highlightId}`,
      payload: { note: 'Another note' },
    }),
  },
  'DELETE /api/user_highlights/{id}': {
    statuses: { visitor: 401, owner: 204, stranger: 404, member: 404, outlet: 404 },
    request: async (world) => ({ url: `/api/user_highlights/${await world.freshHighlight()}` }),
  },
  'GET /api/user_highlights/{id}/history': get(
    ownerOnly,
    ({ highlightId }) => `/api/user_highlights/${highlightId}/history`,
  ),
  'GET /api/user_e_book_places': get(ownList, () => '/api/user_e_book_places'),
  'POST /api/user_e_book_places': {
    statuses: ownerOnly,
    request: async (world) => ({ url: '/api/user_e_book_places', payload: readingPlace(world) }),
  },
}
