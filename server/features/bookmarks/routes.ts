import * as contract from '#contract/bookmarks.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { timelinesOf } from '../listening/timelines.ts'
import { selectBookmarks } from './queries.ts'
import { changeBookmark, earlierNotes, makeBookmark, removeBookmark } from './service.ts'
import { bookmarkAnswer, bookmarkView } from './serializers.ts'

const PAGE = 30

export function registerBookmarks(server: ApiServer): void {
  const { shop } = server
  const timelineOf = timelinesOf(shop)

  serve(server, contract.listBookmarks, async ({ caller, query, url }) => {
    const page = pageOf(query, PAGE)
    const slug = query.audioBook === undefined ? undefined : slugIn(query.audioBook)
    const { rows, total } = await selectBookmarks(shop.db, { userId: caller.userId, slug, page })
    return hydraList({ type: 'UserBookmark', url, members: rows.map(bookmarkView), total, ...page })
  })

  serve(server, contract.makeBookmark, async ({ caller, body: { audioBook, ...sent }, reply }) => {
    const timeline = await timelineOf(slugIn(audioBook))
    const { bookmark, isNew } = await makeBookmark(shop, caller.userId, timeline, {
      ...sent,
      id: sent.id.toLowerCase(),
    })
    const answer = bookmarkAnswer(bookmark, shop.now())
    if (isNew) reply.code(201).header('location', answer['@id'])
    return answer
  })

  serve(server, contract.changeBookmark, async ({ caller, params, body }) =>
    bookmarkAnswer(await changeBookmark(shop, caller.userId, params.id, body), shop.now()),
  )

  serve(server, contract.removeBookmark, async ({ caller, params, query }) => {
    await removeBookmark(shop, caller.userId, params.id, query.deviceId)
    return undefined
  })

  serve(server, contract.listEarlierNotes, async ({ caller, params, url }) => {
    const notes = await earlierNotes(shop, caller.userId, params.id)
    const members = notes.map((note) => ({ ...note, changedAt: note.changedAt.toISOString() }))
    return hydraList({
      type: 'EarlierNote',
      url,
      members,
      total: members.length,
      page: 1,
      itemsPerPage: 50,
    })
  })
}

/** Accepts an IRI or a plain slug. */
const slugIn = (audioBook: string) => audioBook.replace(/^\/api\/audio_books\//, '')
