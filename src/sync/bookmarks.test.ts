import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bookmark, BookmarkAnswer } from '#contract/bookmarks.ts'
import type { Highlight } from '#contract/highlights.ts'
import { NetProblem } from '#net/problem.ts'
import { configureNet, type Exchange } from '#net/settings.ts'
import { fakeStorage } from '#tests/support/fake-storage.ts'
import {
  bookmarkCalls,
  type BookmarkCalls,
  countBookmarksWaiting,
  followBookmarks,
  listBookmarks,
  putBookmark,
  removeBookmark,
  highlightCalls,
  type HighlightCalls,
  followHighlights,
  highlightsOf,
  putHighlight,
  removeHighlight,
} from './marks.ts'
import { flush } from './flush.ts'
import { removeConfirmed } from './leave.ts'
import { placesDb } from '#storage/places-db.ts'

let owner: string
beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage())
  owner = crypto.randomUUID()
})

const at = (wallMs: number, page = 'p') => ({ wallMs, pageMs: wallMs, page })
const mark = (part: object = {}) => ({
  ...{ id: crypto.randomUUID(), slug: 'salt', chapter: 1, seconds: 30, note: '', madeAtMs: 1_000 },
  ...part,
})
const notes = async (of = owner) => (await listBookmarks(of, 'salt')).map(({ note }) => note)

/**
 * A fake server for one account, with the real merge rules: the newer note wins, and a removal wins over
 * notes.
 */
function shop() {
  const rows = new Map<string, Bookmark>()
  const removed = new Set<string>()
  const said: string[] = []
  const answer = (row: Bookmark): BookmarkAnswer => ({
    ...row,
    '@context': '',
    serverTime: new Date(2_000).toISOString(),
  })
  const calls: BookmarkCalls = {
    async make({ id, audioBook, chapter, seconds, sentence = '', ...sent }) {
      const { note, changedAt = '', eventId = null, deviceId = null } = sent
      said.push(`make ${note}`)
      if (removed.has(id)) throw new NetProblem('refused', 409)
      const known = rows.get(id)
      if (known) return answer(known)
      const row: Bookmark = {
        ...{
          '@id': `/api/user_bookmarks/${id}`,
          '@type': 'UserBookmark' as const,
          id,
          audioBook,
          chapter,
          seconds,
          sentence,
        },
        ...{ note, madeAt: changedAt, changedAt, eventId, deviceId },
      }
      rows.set(id, row)
      return answer(row)
    },
    async write(id, { note, changedAt }) {
      said.push(`write ${note}`)
      const known = rows.get(id)
      if (!known) throw new NetProblem('refused', 404)
      if (Date.parse(changedAt) > Date.parse(known.changedAt)) rows.set(id, { ...known, note, changedAt })
      return answer(rows.get(id)!)
    },
    async remove(id) {
      said.push('remove')
      if (!rows.delete(id)) throw new NetProblem('refused', 404)
      removed.add(id)
    },
  }
  return { rows, said, calls, ask: async () => [...rows.values()] }
}

const sendAll = (calls: Partial<BookmarkCalls>, of = owner) =>
  flush(of, {
    whoIsHere: async () => of,
    serverOffset: async () => 0,
    readClock: () => at(2_000),
    bookmarks: { ...shop().calls, ...calls },
  })

describe('a bookmark', () => {
  test('waits for the server, is created there once, and its note is updated there', async () => {
    const { said, calls } = shop()
    const one = mark()
    await putBookmark(owner, one, at(1_000))
    await putBookmark(owner, { ...one, note: 'The ledger' }, at(1_100))
    expect(await countBookmarksWaiting(owner)).toBe(1)
    await expect(sendAll(calls)).resolves.toBe('empty')
    expect(await countBookmarksWaiting(owner)).toBe(0)
    await putBookmark(owner, { ...one, note: 'The second ledger' }, at(1_200))
    await sendAll(calls)
    await removeBookmark(owner, one.id)
    await sendAll(calls)
    expect(said).toEqual(['make The ledger', 'write The second ledger', 'remove'])
    expect(await listBookmarks(owner, 'salt')).toEqual([])
  })

  test('is sent again when the answer was lost, and exists only once', async () => {
    const { rows, calls } = shop()
    await putBookmark(owner, mark({ note: 'Once' }), at(1_000))
    const lost: BookmarkCalls['make'] = async (body) => {
      await calls.make(body)
      throw new NetProblem('offline', 0)
    }
    await expect(sendAll({ make: lost })).resolves.toBe('waiting')
    await expect(sendAll(calls)).resolves.toBe('empty')
    expect([rows.size, await notes()]).toEqual([1, ['Once']])
  })

  test('in step: made offline, it is sent with its sentence and its chapter’s sound, and other devices get the sentence', async () => {
    const { rows, calls, ask } = shop()
    const make = vi.fn(calls.make)
    const sentence = 'Every cargo was weighed twice.'
    const sound = 'a'.repeat(64)
    await putBookmark(owner, { ...mark(), sound, sentence }, at(1_000))
    await expect(sendAll({ make: () => Promise.reject(new NetProblem('offline', 0)) })).resolves.toBe(
      'waiting',
    )
    await sendAll({ make })
    expect(make).toHaveBeenCalledWith(expect.objectContaining({ sound, sentence }))
    expect((await listBookmarks(owner, 'salt'))[0]).toMatchObject({ sentence, confirmed: 1 })
    const tablet = crypto.randomUUID()
    await followBookmarks(tablet, undefined, ask)
    expect((await listBookmarks(tablet, 'salt'))[0]?.sentence).toBe(sentence)
    expect(rows.size).toBe(1)
  })

  test('reports its age by the monotonic clock, which users cannot change', async () => {
    const bodies: Parameters<BookmarkCalls['make']>[0][] = []
    await putBookmark(owner, mark(), at(1_500))
    const { calls } = shop()
    await sendAll({
      make: (body) => {
        bodies.push(body)
        return calls.make(body)
      },
    })
    expect(bodies).toMatchObject([{ agoSeconds: 0.5, changedAt: new Date(1_500).toISOString() }])
  })

  test('is uploaded with its creation time if it was made before bookmarks were synced', async () => {
    const { rows, said, calls } = shop()
    const old = mark({ note: 'From last year', madeAtMs: 500 })
    await placesDb.use(owner, (db) => db.bookmarks.put(old))
    expect(await countBookmarksWaiting(owner)).toBe(1)
    await sendAll(calls)
    await sendAll(calls)
    await followBookmarks(owner, undefined, shopAsk(rows))
    expect(said).toEqual(['make From last year'])
    expect(rows.get(old.id)?.changedAt).toBe(new Date(500).toISOString())
    expect(await notes()).toEqual(['From last year'])
  })

  test('stays on the device and is no longer sent after a final refusal', async () => {
    const make = vi.fn(async () => Promise.reject(new NetProblem('refused', 422)))
    await putBookmark(owner, mark({ note: 'One too many' }))
    for (let times = 0; times < 5; times += 1) await sendAll({ make })
    expect(make).toHaveBeenCalledTimes(3)
    expect([await notes(), await countBookmarksWaiting(owner)]).toEqual([['One too many'], 0])
    // This device has just freed room in the account.
    const other = mark({ note: 'Not needed' })
    await putBookmark(owner, other)
    await removeBookmark(owner, other.id)
    const { rows, calls } = shop()
    await sendAll(calls)
    expect([...rows.values()].map(({ note }) => note)).toEqual(['One too many'])
  })

  test('listening: a bookmark of an unknown book stays here; one without an answer waits', async () => {
    const refused = (status: number) => ({ make: () => Promise.reject(new NetProblem('refused', status)) })
    await putBookmark(owner, mark({ note: 'Not in the shop' }), at(1_000))
    await expect(sendAll(refused(404))).resolves.toBe('waiting')
    expect([await notes(), await countBookmarksWaiting(owner)]).toEqual([['Not in the shop'], 1])
    for (const status of [401, 408, 425, 429, 429, 429]) await sendAll(refused(status))
    expect(await countBookmarksWaiting(owner)).toBe(1)
    const { rows, calls } = shop()
    await sendAll(calls)
    expect([rows.size, await countBookmarksWaiting(owner)]).toEqual([1, 0])
  })

  test('unsent bookmarks survive a log-out, and all are removed once they are sent', async () => {
    await putBookmark(owner, mark({ note: 'Mine' }), at(1_000))
    expect(await removeConfirmed(owner)).toBe(false)
    expect(await notes()).toEqual(['Mine'])
    await sendAll({})
    expect(await removeConfirmed(owner)).toBe(true)
    expect(await notes()).toEqual([])
  })
})

const shopAsk = (rows: ReadonlyMap<string, Bookmark>) => async () => [...rows.values()]

describe('two devices', () => {
  let phone: string
  let tablet: string
  beforeEach(() => {
    phone = crypto.randomUUID()
    tablet = crypto.randomUUID()
  })

  test('a bookmark made or removed on one device is made or removed on the other', async () => {
    const { calls, ask } = shop()
    const [one, two] = [mark({ note: 'One' }), mark({ note: 'Two', seconds: 40 })]
    await putBookmark(phone, one, at(1_000))
    await putBookmark(phone, two, at(1_000))
    await sendAll(calls, phone)
    await followBookmarks(tablet, undefined, ask)
    expect(await notes(tablet)).toEqual(['One', 'Two'])
    await removeBookmark(tablet, one.id)
    await sendAll(calls, tablet)
    await followBookmarks(phone, 'salt', ask)
    expect(await notes(phone)).toEqual(['Two'])
  })

  test('of two notes written on different devices, both end up with the newer one', async () => {
    const { calls, ask } = shop()
    const one = mark()
    await putBookmark(phone, one, at(1_000))
    await sendAll(calls, phone)
    await followBookmarks(tablet, undefined, ask)
    await putBookmark(tablet, { ...one, note: 'At home' }, at(1_800))
    await sendAll(calls, tablet)
    await putBookmark(phone, { ...one, note: 'On the train' }, at(1_400))
    await sendAll(calls, phone)
    expect([await notes(phone), await notes(tablet)]).toEqual([['At home'], ['At home']])
  })

  test('a removal wins over an unsent note in either order', async () => {
    const { calls, ask } = shop()
    const one = mark()
    await putBookmark(phone, one, at(1_000))
    await sendAll(calls, phone)
    await followBookmarks(tablet, undefined, ask)
    await removeBookmark(tablet, one.id)
    await sendAll(calls, tablet)
    await putBookmark(phone, { ...one, note: 'Later' }, at(1_900))
    // The note is unsent, so the bookmark stays until the server confirms the removal.
    await followBookmarks(phone, undefined, ask)
    expect(await notes(phone)).toEqual(['Later'])
    await expect(sendAll(calls, phone)).resolves.toBe('empty')
    expect([await notes(phone), await countBookmarksWaiting(phone)]).toEqual([[], 0])
  })

  test('the account’s data neither overwrites unsent changes nor restores removed bookmarks', async () => {
    const { calls, ask } = shop()
    const [kept, gone] = [mark({ note: 'Old' }), mark({ note: 'Gone', seconds: 50 })]
    await putBookmark(phone, kept, at(1_000))
    await putBookmark(phone, gone, at(1_000))
    await sendAll(calls, phone)
    await putBookmark(phone, { ...kept, note: 'New' }, at(1_500))
    await removeBookmark(phone, gone.id)
    await followBookmarks(phone, undefined, ask)
    expect(await notes(phone)).toEqual(['New'])
  })

  test('listening: fetching one book’s bookmarks leaves other and unsent ones alone', async () => {
    const { calls } = shop()
    for (const slug of ['salt', 'tide']) await putBookmark(phone, mark({ slug, note: slug }), at(1_000))
    await sendAll(calls, phone)
    const old = mark({ note: 'From last year', seconds: 90 })
    await placesDb.use(phone, (db) => db.bookmarks.put(old))
    await followBookmarks(phone, 'salt', async () => [])
    expect([await notes(phone), (await listBookmarks(phone, 'tide')).length]).toEqual([['From last year'], 1])
    await followBookmarks(phone, undefined, async () => [])
    expect([await notes(phone), await listBookmarks(phone, 'tide')]).toEqual([['From last year'], []])
  })

  test("an answer from before a bookmark was made doesn't remove it", async () => {
    const { calls } = shop()
    let answer: ((rows: Bookmark[]) => void) | undefined
    const asked = followBookmarks(phone, undefined, () => new Promise((resolve) => (answer = resolve)))
    await vi.waitFor(() => expect(answer).toBeDefined())
    await putBookmark(phone, mark({ note: 'Just now' }), at(1_000))
    answer?.([])
    await asked
    await sendAll(calls, phone)
    expect(await notes(phone)).toEqual(['Just now'])
  })
})

test('listening: bookmarks are sorted by chapter, then by their place in it', async () => {
  const places = [
    [2, 10],
    [1, 50],
    [1, 20],
  ] as const
  for (const [nth, [chapter, seconds]] of places.entries())
    await putBookmark(owner, mark({ id: `0${nth}`, chapter, seconds, note: `${chapter}:${seconds}` }))
  expect(await notes()).toEqual(['1:20', '1:50', '2:10'])
})

test('listening: bookmarks and highlights are sent with keepalive, and without redirecting to the log-in', async () => {
  const sent: Exchange[] = []
  configureNet({
    exchange: async (request) => {
      sent.push(request)
      throw new NetProblem('refused', 401)
    },
  })
  for (const calls of [bookmarkCalls(owner), highlightCalls(owner)])
    await expect(calls.remove('mark', 'device')).rejects.toThrow(NetProblem)
  for (const slug of [undefined, 'salt'])
    for (const follow of [followBookmarks, followHighlights])
      await expect(follow(owner, slug)).rejects.toThrow(NetProblem)
  const inBackground = { as: owner, keepalive: true, background: true }
  expect(sent).toMatchObject([
    { path: '/api/user_bookmarks/mark', ...inBackground },
    { path: '/api/user_highlights/mark', ...inBackground },
    ...Array.from({ length: 4 }, () => ({ as: owner, background: true })),
  ])
  const titles = sent.slice(2).map(({ search }) => search?.get('audioBook') ?? search?.get('eBook'))
  expect(titles).toEqual([null, null, '/api/audio_books/salt', '/api/e_books/salt'])
})

test('listening: a highlight syncs like a bookmark', async () => {
  const one = {
    ...{ id: crypto.randomUUID(), slug: 'salt', locator: 'epubcfi(/6/4!/4/2,/1:3,/1:9)', share: 0.5 },
    ...{ quote: 'the ledger', chapter: 'One', note: '', madeAtMs: 1_000 },
  }
  const rows = new Map<string, Highlight>()
  const said: string[] = []
  const stamped = (row: Highlight) => ({ ...row, serverTime: new Date(2_000).toISOString() })
  const highlights: HighlightCalls = {
    async make({ id, eBook, locator, share, quote, chapter, note, changedAt = '' }) {
      said.push(`make ${note}`)
      const times = { madeAt: changedAt, changedAt, eventId: null, deviceId: null }
      const place = { id, eBook, locator, share, quote, chapter, note }
      rows.set(id, { '@id': `/api/user_highlights/${id}`, '@type': 'UserHighlight', ...place, ...times })
      return stamped(rows.get(id)!)
    },
    async write(id, { note }) {
      said.push(`write ${note}`)
      rows.set(id, { ...rows.get(id)!, note })
      return stamped(rows.get(id)!)
    },
    async remove(id) {
      said.push('remove')
      rows.delete(id)
    },
  }
  const send = () =>
    flush(owner, {
      ...{ whoIsHere: async () => owner, serverOffset: async () => 0, readClock: () => at(2_000) },
      highlights,
    })
  const quotes = (of: string) =>
    placesDb.use(of, async (db) => (await highlightsOf(db, 'salt')).map(({ quote, note }) => [quote, note]))

  await putHighlight(owner, one, at(1_000))
  await expect(send()).resolves.toBe('empty')
  await putHighlight(owner, { ...one, note: 'Again' }, at(1_500))
  expect(await removeConfirmed(owner)).toBe(false)
  await send()
  const tablet = crypto.randomUUID()
  await followHighlights(tablet, undefined, async () => [...rows.values()])
  expect(await quotes(tablet)).toEqual([['the ledger', 'Again']])
  await removeHighlight(owner, one.id)
  await send()
  await followHighlights(tablet, 'salt', async () => [...rows.values()])
  expect([said, await quotes(owner), await quotes(tablet)]).toEqual([
    ['make ', 'write Again', 'remove'],
    [],
    [],
  ])
})

test('listening: highlights are sorted by their place in the book, then by creation time', async () => {
  const made = [
    ['last', 0.9, 1],
    ['second', 0.5, 9],
    ['first', 0.5, 2],
  ] as const
  // The ids are in a different order from all of these.
  for (const [index, [quote, share, madeAtMs]] of made.entries())
    await putHighlight(owner, {
      ...{ id: `highlight ${index}`, slug: 'salt', locator: '', chapter: '', note: '' },
      ...{ quote, share, madeAtMs },
    })
  const stand = await placesDb.use(owner, (db) => highlightsOf(db, 'salt'))
  expect(stand.map(({ quote }) => quote)).toEqual(['first', 'second', 'last'])
})
