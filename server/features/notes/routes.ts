import * as bookmarks from '#contract/bookmarks.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import * as highlights from '#contract/highlights.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { chapterOffsetsOf } from '../listening/service.ts'
import {
  BOOKMARKS,
  HIGHLIGHTS,
  selectNotes,
  type BookmarkRow,
  type HighlightRow,
  type NoteRow,
} from './queries.ts'
import { changeNote, createBookmark, createHighlight, earlierNotes, removeNote } from './service.ts'
import type { Bookmark, BookmarkAnswer } from '#contract/bookmarks.ts'
import type { Highlight, HighlightAnswer } from '#contract/highlights.ts'
import type { RealTime } from '../../clock.ts'

const PAGE = 30
/** A note has no more earlier ones. */
const EARLIER_NOTES = { page: 1, itemsPerPage: 50 }

export function registerBookmarks(server: ApiServer): void {
  const { shop } = server

  serve(server, bookmarks.listBookmarks, async ({ caller: { userId }, query, url }) => {
    const page = pageOf(query, PAGE)
    const { rows, total } = await selectNotes(shop.db, BOOKMARKS, {
      userId,
      slug: slugIn(query.audioBook, 'audio_books'),
      page,
    })
    return hydraList({ type: 'UserBookmark', url, members: rows.map(bookmarkView), total, ...page })
  })
  serve(server, bookmarks.makeBookmark, async ({ caller, body: { audioBook, id, ...sent }, reply }) => {
    const timeline = await chapterOffsetsOf(shop, slugIn(audioBook, 'audio_books'))
    const { row, isNew } = await createBookmark(shop, caller.userId, timeline, {
      ...sent,
      id: id.toLowerCase(),
    })
    const answer = bookmarkAnswer(row, shop.now())
    if (isNew) reply.code(201).header('location', answer['@id'])
    return answer
  })
  serve(server, bookmarks.changeBookmark, async ({ caller: { userId }, params: { id }, body: sent }) =>
    bookmarkAnswer(await changeNote(shop, BOOKMARKS, { userId, id, sent }), shop.now()),
  )
  serve(
    server,
    bookmarks.removeBookmark,
    async ({ caller: { userId }, params: { id }, query: { deviceId } }) => {
      await removeNote(shop, BOOKMARKS, { userId, id, deviceId })
      return undefined
    },
  )
  serve(server, bookmarks.listEarlierNotes, async ({ caller, params, url }) => {
    const members = (await earlierNotes(shop, BOOKMARKS, caller.userId, params.id)).map(earlierNoteView)
    return hydraList({ type: 'EarlierNote', url, members, total: members.length, ...EARLIER_NOTES })
  })
}

export function registerHighlights(server: ApiServer): void {
  const { shop } = server

  serve(server, highlights.listHighlights, async ({ caller: { userId }, query, url }) => {
    const page = pageOf(query, PAGE)
    const { rows, total } = await selectNotes(shop.db, HIGHLIGHTS, {
      userId,
      slug: slugIn(query.eBook, 'e_books'),
      page,
    })
    return hydraList({ type: 'UserHighlight', url, members: rows.map(highlightView), total, ...page })
  })
  serve(server, highlights.makeHighlight, async ({ caller, body: { eBook, id, ...sent }, reply }) => {
    const given = { ...sent, id: id.toLowerCase() }
    const { row, isNew } = await createHighlight(shop, caller.userId, slugIn(eBook, 'e_books'), given)
    const answer = highlightAnswer(row, shop.now())
    if (isNew) reply.code(201).header('location', answer['@id'])
    return answer
  })
  serve(server, highlights.changeHighlight, async ({ caller: { userId }, params: { id }, body: sent }) =>
    highlightAnswer(await changeNote(shop, HIGHLIGHTS, { userId, id, sent }), shop.now()),
  )
  serve(server, highlights.removeHighlight, async ({ caller: { userId }, params: { id } }) => {
    await removeNote(shop, HIGHLIGHTS, { userId, id })
    return undefined
  })
  serve(server, highlights.listHighlightNotes, async ({ caller, params, url }) => {
    const members = (await earlierNotes(shop, HIGHLIGHTS, caller.userId, params.id)).map(earlierNoteView)
    return hydraList({ type: 'EarlierNote', url, members, total: members.length, ...EARLIER_NOTES })
  })
}

/** Accepts an IRI or a plain slug. */
const slugIn = <Given extends string | undefined>(book: Given, kind: 'audio_books' | 'e_books'): Given =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a string stays one
  book?.replace(new RegExp(`^/api/${kind}/`), '') as Given

const noteFields = ({ id, note, madeAt, changedAt, eventId, deviceId }: NoteRow) => ({
  id,
  note,
  madeAt: madeAt.toISOString(),
  changedAt: changedAt.toISOString(),
  eventId,
  deviceId,
})

const bookmarkView = (row: BookmarkRow): Bookmark => ({
  '@id': `/api/user_bookmarks/${row.id}`,
  '@type': 'UserBookmark',
  ...noteFields(row),
  audioBook: `/api/audio_books/${row.slug}`,
  chapter: row.chapter,
  seconds: row.seconds,
  sentence: row.sentence,
})

const bookmarkAnswer = (row: BookmarkRow, now: RealTime): BookmarkAnswer => ({
  '@context': '/api/contexts/UserBookmark',
  ...bookmarkView(row),
  serverTime: now.toISOString(),
})

const highlightView = (row: HighlightRow): Highlight => ({
  '@id': `/api/user_highlights/${row.id}`,
  '@type': 'UserHighlight',
  ...noteFields(row),
  eBook: `/api/e_books/${row.slug}`,
  locator: row.locator,
  share: row.share,
  quote: row.quote,
  chapter: row.chapter,
})

const highlightAnswer = (row: HighlightRow, now: RealTime): HighlightAnswer => ({
  '@context': '/api/contexts/UserHighlight',
  ...highlightView(row),
  serverTime: now.toISOString(),
})

const earlierNoteView = <Note extends { readonly changedAt: Date }>(note: Note) => ({
  ...note,
  changedAt: note.changedAt.toISOString(),
})
