import * as contract from '#contract/listening.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { notFound, unprocessable } from '../../http/http-errors.ts'
import { isUuid } from '../../http/schemas.ts'
import type { Shop } from '../../shop.ts'
import { deviceNames } from '../account/devices.ts'
import type { StoredEvent } from './place-batch-queries.ts'
import { claimSound, releaseSound, eventStore, chooseSpeed } from './service.ts'
import {
  selectBookOfTime,
  selectBookTimes,
  selectChapterTimes,
  selectHistory,
  type TimeTable,
} from './queries.ts'
import { placePublisher } from './place-publisher.ts'
import {
  bookTimeAnswer,
  bookTimeIri,
  bookTimeView,
  chapterTimeAnswer,
  chapterTimeIri,
  chapterTimeView,
  pastPlaceView,
} from './serializers.ts'

const PAGE = 30

export function registerListening(server: ApiServer): void {
  const { shop } = server
  const publisher = placePublisher(shop)
  server.app.addHook('preClose', async () => publisher.stop())
  const keep = eventStore(shop, publisher.publish)

  serve(server, contract.listAudioBookTimes, async ({ caller, query, url }) => {
    const page = pageOf(query, PAGE)
    const { rows, total } = await selectBookTimes(shop.db, {
      userId: caller.userId,
      slug: slugIn(query.audioBook),
      page,
    })
    const names = await namesFor(shop, caller.userId)
    return hydraList({
      type: 'UserAudioBookTime',
      url,
      members: rows.map((row) => bookTimeView(row, names)),
      total,
      ...page,
    })
  })

  serve(server, contract.keepAudioBookTime, async ({ caller, body: { audioBook, ...event }, reply }) => {
    const kept = await keep(caller.userId, slugIn(audioBook), event)
    if (kept.isNewBook) reply.code(201).header('location', bookTimeIri(kept.bookTime.id))
    return bookTimeAnswer(kept, shop.now(), await namesFor(shop, caller.userId, kept, event.deviceId))
  })

  serve(server, contract.moveAudioBookTime, async ({ caller, params, body }) => {
    const { audioBook, ...event } = body
    const row = sameBook(await bookOfTime(shop, 'book', params.id, caller.userId), audioBook)
    const kept = await keep(caller.userId, row.slug, { ...event, chapter: event.chapter ?? row.chapter })
    return bookTimeAnswer(kept, shop.now(), await namesFor(shop, caller.userId, kept, event.deviceId))
  })

  serve(server, contract.chooseSpeed, async ({ caller, params, body }) => {
    const chosen = await chooseSpeed(shop, caller.userId, params.id, body)
    return {
      '@context': '/api/contexts/UserAudioBookSpeed',
      '@id': `${bookTimeIri(params.id)}/speed`,
      '@type': 'UserAudioBookSpeed' as const,
      ...chosen,
      serverTime: shop.now().toISOString(),
    }
  })

  serve(server, contract.listAudioBookTimeHistory, async ({ caller, params, url }) => {
    const { bookId } = await bookOfTime(shop, 'book', params.id, caller.userId)
    const names = await namesFor(shop, caller.userId)
    const rows = await selectHistory(shop.db, { userId: caller.userId, bookId })
    const places = rows.map((row) => pastPlaceView(row, names))
    const { length: total } = places
    return hydraList({ type: 'Place', url, members: places, total, page: 1, itemsPerPage: 50 })
  })

  serve(server, contract.listChapterTimes, async ({ caller, query, url }) => {
    const page = pageOf(query, PAGE)
    const { rows, total } = await selectChapterTimes(shop.db, {
      userId: caller.userId,
      slug: slugIn(query.audioBook),
      page,
    })
    return hydraList({ type: 'UserChapterTime', url, members: rows.map(chapterTimeView), total, ...page })
  })

  serve(server, contract.keepChapterTime, async ({ caller, body: { audioBook, ...event }, reply }) => {
    const kept = await keep(caller.userId, slugIn(audioBook), event)
    if (kept.isNewChapter) reply.code(201).header('location', chapterTimeIri(kept.chapterTime.id))
    return chapterTimeAnswer(kept, shop.now(), await namesFor(shop, caller.userId, kept, event.deviceId))
  })

  serve(server, contract.moveChapterTime, async ({ caller, params, body }) => {
    const { audioBook, ...event } = body
    const row = sameBook(await bookOfTime(shop, 'chapter', params.id, caller.userId), audioBook)
    const kept = await keep(caller.userId, row.slug, { ...event, chapter: event.chapter ?? row.chapter })
    return chapterTimeAnswer(kept, shop.now(), await namesFor(shop, caller.userId, kept, event.deviceId))
  })

  serve(server, contract.claimSound, ({ caller, params, body: { audioBook, ...sent } }) =>
    claimSound(shop, caller.userId, { ...sent, claimId: params.id, slug: slugIn(audioBook) }),
  )

  serve(server, contract.releaseSound, async ({ caller, params }) => {
    await releaseSound(shop, caller.userId, params.id)
    return undefined
  })
}

const NONE: ReadonlyMap<string, string> = new Map()

async function namesFor(
  { db }: Pick<Shop, 'db'>,
  userId: string,
  kept?: StoredEvent,
  asking?: string,
): Promise<ReadonlyMap<string, string>> {
  const needed =
    !kept || kept.otherPlace !== null || kept.bookTime.deviceId !== (asking?.toLowerCase() ?? null)
  return needed ? deviceNames(db, userId) : NONE
}

function sameBook<Row extends { slug: string }>(row: Row, audioBook: string | undefined): Row {
  if (audioBook !== undefined && slugIn(audioBook) !== row.slug)
    throw unprocessable('audioBook', 'This place belongs to another audiobook.')
  return row
}

interface BookOfTime {
  readonly bookId: number
  readonly slug: string
  readonly chapter: number
}

async function bookOfTime(
  { db }: Pick<Shop, 'db'>,
  table: TimeTable,
  id: string,
  userId: string,
): Promise<BookOfTime> {
  const book = isUuid(id) ? await selectBookOfTime(db, table, { id, userId }) : undefined
  if (!book) throw notFound()
  return book
}

/** Accepts an IRI or a plain slug. */
function slugIn(audioBook: string): string
function slugIn(audioBook: string | undefined): string | undefined
function slugIn(audioBook: string | undefined): string | undefined {
  return audioBook?.replace(/^\/api\/audio_books\//, '')
}
