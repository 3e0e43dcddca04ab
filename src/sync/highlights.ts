import type { Highlight as ServerHighlight } from '#contract/highlights.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { call, type CallInput } from '#net/call.ts'
import type { ClockReading } from '#storage/clock.ts'
import { type MarkCalls, markStore, type SendingClocks, slugOfIri } from './marks.ts'
import type { Highlight, PlacesDb } from '#storage/places-db.ts'

/** What the reader sees of a highlight. */
export type HighlightHere = Omit<Highlight, 'confirmed' | 'changedAtMs'>

/** In the order of the book. */
export async function highlightsOf(db: PlacesDb, slug: string): Promise<Highlight[]> {
  const marks = await db.highlights.where('slug').equals(slug).toArray()
  return marks.sort((a, b) => a.share - b.share || a.madeAtMs - b.madeAtMs)
}

type Body = CallInput<'POST /api/user_highlights'>['body']
export type HighlightCalls = MarkCalls<Body>

const store = markStore<Highlight, Body, ServerHighlight>({
  marks: (db) => db.highlights,
  changes: (db) => db.highlightChanges,
  bodyOf: ({ id, slug, locator, share, quote, chapter }, note) => ({
    ...{ id, eBook: `/api/e_books/${slug}`, locator, share, quote, chapter },
    ...note,
  }),
  fromServer: ({ id, eBook, locator, share, quote, chapter, note, madeAt, changedAt }) => ({
    id,
    slug: slugOfIri(eBook),
    locator,
    share,
    quote,
    chapter,
    note,
    madeAtMs: Date.parse(madeAt),
    confirmed: 1,
    changedAtMs: Date.parse(changedAt),
  }),
  async ask(ownerUuid, slug) {
    const eBook = slug === undefined ? {} : { eBook: `/api/e_books/${slug}` }
    const query = { itemsPerPage: PAGE_SIZE.bookmarks, ...eBook }
    const answer = await call('GET /api/user_highlights', { query, as: ownerUuid, background: true })
    return answer['hydra:member']
  },
})

/** Adds one, or writes the note of one that is there; it waits until the server has it. */
export const putHighlight = (
  ownerUuid: string,
  { id, slug, locator, share, quote, chapter, note, madeAtMs }: HighlightHere,
  clock?: ClockReading,
): Promise<void> => store.put(ownerUuid, { id, slug, locator, share, quote, chapter, note, madeAtMs }, clock)

export const {
  remove: removeHighlight,
  countWaiting: countHighlightsWaiting,
  follow: followHighlights,
} = store

export const sendHighlights = (
  ownerUuid: string,
  { highlights, ...clocks }: SendingClocks & { highlights: HighlightCalls },
): Promise<'empty' | 'waiting'> => store.send(ownerUuid, highlights, clocks)

export function highlightCalls(ownerUuid: string): HighlightCalls {
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    make: (body) => call('POST /api/user_highlights', { body, ...sending }),
    write: (id, body) => call('PATCH /api/user_highlights/{id}', { params: { id }, body, ...sending }),
    remove: (id) => call('DELETE /api/user_highlights/{id}', { params: { id }, ...sending }),
  }
}
