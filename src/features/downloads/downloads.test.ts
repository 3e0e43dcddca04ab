import type { Book } from '#contract/catalogue.ts'
import { DAY_MS } from '#contract/durations.ts'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepPlace } from '#sync/outbox.ts'
import {
  sha256,
  completeFile,
  putTitle,
  readTitle,
  readWhole,
  removeTitle,
  writeChunk,
} from '#storage/sound-store.ts'
import { type OwnBook, type OwnTitle, placesDb } from '#storage/places-db.ts'
import { soundDb } from '#storage/sound-db.ts'
import { listHoldings } from '#storage/inventory.ts'
import { titleKey } from '#storage/title-key.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { renewToken } from '#net/refresh.ts'
import { exchange } from '#net/send.ts'
import { configureNet, type Tokens } from '#net/settings.ts'
import { becomeEnded, becomeUser, becomeVisitor } from '#session/store.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { openDownloads, type Downloads } from './downloads.ts'
import { removeFinishedTitles } from './make-room.ts'
import { readDownload, useDownloadsStore } from './store.ts'

const key = titleKey('audio', 'salt')
let owner: string
let downloads: Downloads

const TITLE = aStoredTitle({ kept: 1 })
const aBook = { entityType: 'audioBook', slug: 'salt', title: 'Salt', authors: [], narrators: [] }
const ownTitle: OwnTitle = { key, addedAtMs: 1, book: aBook as unknown as OwnBook, chapterSeconds: [] }

/** Stores the listener's position in the book. */
const heard = (where: 'start' | 'end') =>
  keepPlace(owner, { slug: 'salt', chapter: 1, seconds: where === 'end' ? aFile.playtime : 1 })

beforeEach(async () => {
  owner = crypto.randomUUID()
  await putTitle(owner, TITLE)
  downloads = await openDownloads(owner)
})
afterEach(() => {
  downloads.stop()
  becomeVisitor()
})

test('downloads that are still opening when another user logs in are not shown to that user', async () => {
  downloads.stop()
  const left = new AbortController()
  const opened = openDownloads(owner, {}, left.signal)
  left.abort()
  await expect(opened).rejects.toThrow('abort')
  expect(useDownloadsStore.getState()).toMatchObject({ ready: false, byTitle: new Map() })
})

test('awaiting the downloads makes the stored titles available at once', () => {
  expect(useDownloadsStore.getState().ready).toBe(true)
  expect(readDownload(key).state).not.toBe('none')
})

test('a book that is played again is not removed as finished', async () => {
  await putTitle(owner, { ...TITLE, files: [aFile] })
  await heard('end')
  await heard('start')
  expect(await removeFinishedTitles(owner, 1, Date.now() + 2 * DAY_MS)).toEqual([])
  expect(await readTitle(owner, key)).toBeDefined()

  // Played to the end once more, it is removed a day later as before.
  await heard('end')
  expect(await removeFinishedTitles(owner, 1, Date.now() + 2 * DAY_MS)).toEqual([key])
})

test('a book that is downloaded again is not removed as finished', async () => {
  await putTitle(owner, { ...(await readTitle(owner, key))!, files: [aFile] })
  await heard('end')
  await downloads.start(key)
  expect(await removeFinishedTitles(owner, 1, Date.now() + 2 * DAY_MS)).toEqual([])
})

test('trap 11: after the storage is cleared, an open page shows no title as downloaded', async () => {
  await putTitle(owner, { ...TITLE, files: [aFile] })
  await writeChunk(owner, { title: key, chapter: 1, index: 0, bytes: new ArrayBuffer(10) })
  await completeFile(owner, key, aFile, 'audio/mpeg')
  await soon(() => expect(readDownload(key).state).toBe('done'))

  // Like a browser: deletes all data, and the connection with it.
  const db = await soundDb.use(owner, async (open) => open)
  db.backendDB().close()
  const gone = indexedDB.deleteDatabase(db.name)
  await new Promise((resolve) => gone.addEventListener('success', resolve))
  expect(readDownload(key).state).toBe('done')
  db.close({ disableAutoOpen: false })
  await soon(() => expect(readDownload(key).state).toBe('none'))
})

test('a downloaded title is renewed as soon as the account’s list of titles has other chapters', async () => {
  downloads.stop()
  await putTitle(owner, { ...TITLE, files: [aFile] })
  const audio = { url: '/1', chapterTitle: 'New', chapterOrderNumber: 1, playtime: 30, bytes: 9, sha256: 'b' }
  const book = { ...aBook, audioFiles: [audio] } as unknown as Book
  const own = { ...ownTitle, chapterSeconds: [aFile.playtime] }
  const store = (title: OwnTitle) => placesDb.use(owner, (db) => db.ownTitles.put(title))
  let asked = 0
  downloads = await openDownloads(owner, {
    askBook: async () => ((asked += 1), book),
    fetch: async () => fromShop(new Uint8Array(), { status: 503 }),
  })
  await store(own)
  await store({ ...own, chapterSeconds: [30] })
  await soon(async () =>
    expect((await readTitle(owner, key))?.files.map(({ name, sha256: hash }) => [name, hash])).toEqual([
      ['New', 'b'],
    ]),
  )
  expect(asked).toBeGreaterThan(0)
})

describe('an e-book that was opened', () => {
  const weather = titleKey('ebook', 'weather')
  const bytes = new TextEncoder().encode('the whole book').buffer
  const eBook = {
    entityType: 'eBook',
    slug: 'weather',
    title: 'Weather',
    authors: [],
    narrators: [],
    cover330: '',
  }
  const ports = { askBook: async () => ({ ...eBook, download: '/media/weather.epub' }) as unknown as Book }
  const held = async (of = owner) =>
    (await listHoldings(of)).map(({ title, files }) => [title.key, files.length])

  beforeEach(async () => {
    downloads.stop()
    await removeTitle(owner, key)
    downloads = await openDownloads(owner, ports)
  })

  test('is stored for a while without being fetched again, and Download makes it permanent', async () => {
    await downloads.keepOpened('weather', bytes)
    expect(await held()).toEqual([[weather, 1]])
    expect((await readTitle(owner, weather))?.kept).toBe(0)
    expect(new TextDecoder().decode(await readWhole(owner, weather, 1))).toBe('the whole book')
    await downloads.start(weather)
    await soon(async () => expect(await readTitle(owner, weather)).toMatchObject({ kept: 1, wanted: 0 }))
  })

  test('is removed after eight others were opened, but never to make room for chapters', async () => {
    await downloads.keepOpened('weather', bytes)
    for (let one = 0; one < 8; one++) {
      await downloads.keepOpened(`later-${one}`, bytes)
      // Opened again, so the first one is no longer among the oldest.
      if (one === 6) await downloads.keepOpened('weather', undefined)
    }
    const slugs = (await held()).map(([book]) => book)
    expect(slugs).toContain(weather)
    expect(slugs).not.toContain('ebook/later-0')
    expect(slugs).toHaveLength(8)
  })
})

const aFile = { chapter: 1, name: 'One', playtime: 60, bytes: 10, sha256: '' }

describe('an expired session', () => {
  const tide = titleKey('audio', 'tide')
  const sound = new TextEncoder().encode('a chapter')
  let kept: Tokens | undefined
  /** The user that the server still recognises. */
  let known: string | undefined
  let asked: { slug: string; token: string | undefined }[]
  const listener = () => ({ uuid: owner, firstName: 'Rosa', fullName: 'Rosa Lind' })
  /** Resolves when the downloader has nothing left to fetch. */
  const atRest = () => oneAtATime(`murmur-downloads-${owner}`, async () => undefined)
  const json = (body: unknown, status = 200) =>
    fromShop(JSON.stringify(body), { status, headers: { 'content-type': 'application/ld+json' } })

  /** Like the real server: without a valid token, the book has no sound (API-27). */
  async function answer(request: Request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/api/token/refresh') return json({ code: 401 }, 401)
    const slug = pathname.split('/').at(-1)!
    const token = request.headers.get('xtoken')?.replace('Bearer ', '')
    asked.push({ slug, token })
    if (token && token !== known) return json({ code: 401 }, 401)
    const book = { entityType: 'audioBook', slug, title: slug, authors: [], narrators: [], cover330: '' }
    const chapter = { url: `/media/${slug}`, chapterTitle: 'One', chapterOrderNumber: 1, playtime: 60 }
    const file = { ...chapter, bytes: sound.length, sha256: await sha256(sound) }
    return json({ ...book, audioFiles: token ? [file] : [] })
  }

  async function logIn() {
    known = tokenOf(owner, 'two')
    kept = { token: known, refreshToken: 'r2' }
    becomeUser(listener(), null)
    void downloads.resume()
  }

  beforeEach(async () => {
    downloads.stop()
    asked = []
    known = undefined
    kept = { token: tokenOf(owner), refreshToken: 'r1' }
    configureNet({
      origin: 'http://shop.test',
      exchange,
      renew: renewToken,
      fetch: (input, init) => answer(new Request(input, init)),
      tokens: {
        read: async () => kept,
        peek: () => kept,
        readNewest: async () => kept,
        write: async (tokens) => void (kept = tokens),
        lend: async () => undefined,
        clear: async () => void (kept = undefined),
      },
      onSessionEnded: () => becomeEnded(listener()),
    })
    const file = { ...aFile, bytes: sound.length, sha256: await sha256(sound) }
    const wanted = aStoredTitle({ kept: 1, files: [file], wanted: 1 })
    await putTitle(owner, { ...wanted, addedAtMs: 1 })
    await putTitle(owner, { ...wanted, key: tide, addedAtMs: 2 })
    becomeUser(listener(), null)
    const headers = { 'content-type': 'audio/mpeg' }
    downloads = await openDownloads(owner, { fetch: async () => fromShop(sound, { headers }) })
    await atRest()
  })

  test('only pauses the current and the waiting download, and the log-in continues both', async () => {
    expect(kept).toBeUndefined()
    expect(await readTitle(owner, key)).toMatchObject({ wanted: 1, failure: null })
    expect(await readTitle(owner, tide)).toMatchObject({ wanted: 1, failure: null })
    expect(asked).toEqual([{ slug: 'salt', token: tokenOf(owner) }])

    await logIn()
    await soon(() => expect([readDownload(key).state, readDownload(tide).state]).toEqual(['done', 'done']))
  })

  test("isn't ended by a page opened meanwhile, and no request is sent without a token", async () => {
    downloads.stop()
    asked = []
    downloads = await openDownloads(owner)
    await atRest()
    expect(asked).toEqual([])
    expect(await readTitle(owner, key)).toMatchObject({ wanted: 1, failure: null })
  })

  test('Download asks for a log-in, and stores nothing that it cannot start', async () => {
    await putTitle(owner, { ...(await readTitle(owner, key))!, kept: 0, wanted: 0 })
    for (const pressed of [key, titleKey('audio', 'unknown')])
      await expect(downloads.start(pressed)).rejects.toMatchObject({ status: 401 })
    expect(await readTitle(owner, key)).toMatchObject({ kept: 0, wanted: 0 })
    expect(await readTitle(owner, titleKey('audio', 'unknown'))).toBeUndefined()
  })
})
