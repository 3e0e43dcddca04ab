import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Book } from '#contract/catalogue.ts'
import { NoAnswer } from '#storage/wait.ts'
import { CHUNK_BYTES } from '#storage/sound-path.ts'
import { listHoldings } from '#storage/inventory.ts'
import { USUAL_WISH, writeWish } from '#storage/ready-plan.ts'
import { sha256, changeTitle, checkFile, putTitle, readTitle, removeTitle } from '#storage/sound-store.ts'
import { soundDb, type StoredTitle } from '#storage/sound-db.ts'
import { slugOfKey, titleKey, type TitleKey } from '#storage/title-key.ts'
import { NetProblem } from '#net/problem.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { soon } from '#tests/support/wait-for.ts'
import { describeTitle, type DownloadPorts } from './fetcher.ts'
import { createDownloader } from './downloader.ts'
import { storeChunk, NoSpaceLeft, trimTemporary, removeFinishedTitles } from './make-room.ts'
import { placesDb } from '#storage/places-db.ts'
import { downloadsFrom } from './model.ts'

let owner: string
const salt = titleKey('audio', 'salt')
const sound = (seed: number) => new Uint8Array(CHUNK_BYTES + 9).fill(seed)

/** A fake server with books of two chapters; signed URLs count up, and only a book's newest one works. */
async function shop(files = { 1: sound(1), 2: sound(2) } as Record<number, Uint8Array<ArrayBuffer>>) {
  const issued = new Map<string, number>()
  const asked: string[] = []
  const askBook = async (key: TitleKey): Promise<Book> => {
    const generation = (issued.get(key) ?? 0) + 1
    issued.set(key, generation)
    const audioFiles = await Promise.all(
      Object.entries(files).map(async ([chapter, bytes]) => ({
        url: `/media/${slugOfKey(key)}/${chapter}/${generation}`,
        chapterTitle: `Chapter ${chapter}`,
        chapterOrderNumber: Number(chapter),
        playtime: 60,
        bytes: bytes.length,
        sha256: await sha256(bytes),
      })),
    )
    return {
      entityType: 'audioBook',
      slug: slugOfKey(key),
      title: slugOfKey(key),
      authors: [{ fullName: 'Ida Marsh', firstName: 'Ida', lastName: 'Marsh' }],
      narrators: [],
      audioFiles,
    } as unknown as Book
  }
  const fetchPort: typeof fetch = async (input, init) => {
    const [, , slug, chapter, generation] = (input as string).split('/')
    asked.push(`${slug} ${chapter}`)
    if (Number(generation) !== issued.get(`audio/${slug}`)) return fromShop('', { status: 403 })
    const bytes = files[Number(chapter)] as Uint8Array<ArrayBuffer>
    const [, from = '0', to = '0'] =
      /bytes=(\d+)-(\d+)/.exec(new Headers(init?.headers).get('range') ?? '') ?? []
    const last = Math.min(Number(to), bytes.length - 1)
    return fromShop(bytes.slice(Number(from), last + 1), {
      status: 206,
      headers: { 'content-range': `bytes ${from}-${last}/${bytes.length}`, 'content-type': 'audio/mpeg' },
    })
  }
  const ports: DownloadPorts = {
    askBook,
    fetch: fetchPort,
    untilRetry: async () => undefined,
    removeFinished: async () => false,
  }
  return { ports, asked, files, expire: (key: TitleKey) => issued.set(key, (issued.get(key) ?? 0) + 1) }
}
type Shop = Awaited<ReturnType<typeof shop>>

async function want(server: Shop, key: TitleKey, change: Partial<StoredTitle> = {}) {
  const title = describeTitle(await server.ports.askBook(key), undefined, Date.now())
  await putTitle(owner, { ...title, kept: 1, wanted: 1, ...change })
}
const stateOf = async (key: TitleKey) => downloadsFrom(await listHoldings(owner), true).get(key)

beforeEach(() => {
  owner = crypto.randomUUID()
})

describe('downloading', () => {
  test('a title is complete once each chapter’s hash has been verified', async () => {
    const server = await shop()
    await want(server, salt)
    const done: TitleKey[] = []
    await createDownloader(owner, server.ports, { done: (key) => done.push(key) }).poke()
    expect(done).toEqual([salt])
    expect(await stateOf(salt)).toMatchObject({
      state: 'done',
      share: 1,
      stored: new Map([
        [1, expect.any(String)],
        [2, expect.any(String)],
      ]),
    })
  })

  test('titles are fetched one at a time, in the order in which they were requested', async () => {
    const server = await shop()
    await want(server, titleKey('audio', 'b'), { addedAtMs: 1 })
    await want(server, titleKey('audio', 'a'), { addedAtMs: 2 })
    await createDownloader(owner, server.ports).poke()
    const order = server.asked.map((line) => line.split(' ')[0])
    expect(order.join('')).toMatch(/^b+a+$/)
  })

  test('trap 11: continues with the next chunk after a closed tab, also with an expired URL', async () => {
    const server = await shop()
    await want(server, salt)
    const first = createDownloader(owner, {
      ...server.ports,
      fetch: async (input, init) => {
        if (server.asked.length === 1) first.stop()
        return server.ports.fetch(input, init)
      },
    })
    await first.poke()
    expect(await stateOf(salt)).toMatchObject({ state: 'downloading', coming: 1 })
    const before = server.asked.length

    const second = createDownloader(owner, {
      ...server.ports,
      fetch: async (input, init) => {
        if (server.asked.length === before) server.expire(salt)
        return server.ports.fetch(input, init)
      },
    })
    await second.poke()
    expect(await stateOf(salt)).toMatchObject({ state: 'done' })
    // Chapter 1's first chunk was not requested again.
    const rest = server.asked.slice(before)
    expect(rest.filter((line) => line === 'salt 1').length).toBeLessThanOrEqual(2)
  })

  test('two tabs fetch each chunk once', async () => {
    const server = await shop()
    await want(server, salt)
    await Promise.all([
      createDownloader(owner, server.ports).poke(),
      createDownloader(owner, server.ports).poke(),
    ])
    expect(server.asked).toHaveLength(4)
  })

  test('a title removed during its download leaves no data behind', async () => {
    const server = await shop()
    await want(server, salt)
    const downloader = createDownloader(owner, {
      ...server.ports,
      fetch: async (input, init) => {
        const response = await server.ports.fetch(input, init)
        if (server.asked.length === 2) await removeTitle(owner, salt)
        return response
      },
    })
    await downloader.poke()
    expect(await soundDb.use(owner, (db) => db.chunks.count())).toBe(0)
    expect(await readTitle(owner, salt)).toBeUndefined()
  })

  test('sound that the owner replaced during the download is fetched again', async () => {
    const server = await shop()
    await want(server, salt)
    server.files[2] = sound(77)
    await createDownloader(owner, server.ports).poke()
    expect(await stateOf(salt)).toMatchObject({ state: 'done' })
    expect((await readTitle(owner, salt))?.files[1]?.sha256).toBe(await sha256(sound(77)))
  })

  test('a book without access any more fails with a reason; the next one is fetched', async () => {
    const server = await shop()
    await want(server, salt, { addedAtMs: 1 })
    await want(server, titleKey('audio', 'b'), { addedAtMs: 2 })
    const ports: DownloadPorts = {
      ...server.ports,
      askBook: (key) =>
        key === salt ? Promise.reject(new NetProblem('refused', 403)) : server.ports.askBook(key),
    }
    await createDownloader(owner, ports).poke()
    expect(await stateOf(salt)).toMatchObject({ state: 'failed', failure: 'refused' })
    expect(await stateOf(titleKey('audio', 'b'))).toMatchObject({ state: 'done' })
  })

  test.each([
    ['loses its connection', () => new DOMException('Indexed Database server lost', 'UnknownError')],
    ['is closing', () => new DOMException('The database connection is closing', 'InvalidStateError')],
    ['does not answer', () => new NoAnswer('The database does not answer')],
  ])(
    'trap 13: a database that %s only interrupts the download, which then continues',
    async (_what, failure) => {
      const server = await shop()
      await want(server, salt)
      let interrupted = 0
      const ports: DownloadPorts = {
        ...server.ports,
        // The first read for each chapter.
        removeFinished: async () => {
          if (interrupted++ === 0) throw failure()
          return false
        },
      }
      const failed: string[] = []
      await createDownloader(owner, ports, { failed: (_key, reason) => failed.push(reason) }).poke()
      await soon(async () => expect(await stateOf(salt)).toMatchObject({ state: 'done', failure: null }))
      expect(failed).toEqual([])
    },
  )

  test('trap 13: nor does a lost connection before the first title end the queue', async () => {
    const server = await shop()
    await want(server, salt)
    const use = vi.spyOn(soundDb, 'use')
    use.mockImplementationOnce(() => Promise.reject(new NoAnswer('The database does not answer')))
    await createDownloader(owner, server.ports).poke()
    use.mockRestore()
    await soon(async () => expect(await stateOf(salt)).toMatchObject({ state: 'done' }))
  })
})

describe('a full device', () => {
  /** The next `times` writes of a chunk fail with Chromium's quota error. */
  async function full(times: number) {
    let left = times
    await soundDb.use(owner, async (db) => {
      db.chunks.hook('creating', () => {
        if (left-- > 0) throw new DOMException('full', 'QuotaExceededError')
      })
    })
  }
  const chunk = { title: salt, chapter: 1, index: 0, bytes: new ArrayBuffer(8) }
  const add = async (slug: string, change: Partial<StoredTitle>) => {
    const server = await shop()
    const key = titleKey('audio', slug)
    await want(server, key)
    await createDownloader(owner, server.ports).poke()
    await changeTitle(owner, key, change)
  }

  const finish = async (slug: string, atMs: number) => {
    await add(slug, { addedAtMs: 0 })
    const last = (await readTitle(owner, titleKey('audio', slug)))!.files.at(-1)!
    await placesDb.use(owner, (db) =>
      db.places.put({
        ...{ slug, chapter: last.chapter, seconds: last.playtime, heardAtMs: atMs },
        ...{ eventId: null, deviceId: null, basedOn: null },
      }),
    )
  }

  test('trap 12: automatic downloads are removed first', async () => {
    await add('passing', { kept: 0 })
    await finish('finished', 1)
    await full(1)
    await storeChunk(owner, chunk, { removeFinished: true })
    expect(await readTitle(owner, titleKey('audio', 'passing'))).toBeUndefined()
    expect(await readTitle(owner, titleKey('audio', 'finished'))).toBeDefined()
  })

  test('trap 12: finished titles are removed only with the listener’s permission', async () => {
    await finish('finished', 1)
    await full(1)
    await expect(storeChunk(owner, chunk, { removeFinished: false })).rejects.toBeInstanceOf(NoSpaceLeft)
    await full(1)
    await storeChunk(owner, chunk, { removeFinished: true })
    expect(await readTitle(owner, titleKey('audio', 'finished'))).toBeUndefined()
  })

  test('trap 12: the download reports that the device is full and frees the last of the space', async () => {
    const server = await shop()
    await want(server, salt)
    let chunks = 0
    await soundDb.use(owner, async (db) => {
      db.chunks.hook('creating', () => {
        if (++chunks > 3) throw new DOMException('full', 'QuotaExceededError')
      })
    })
    await createDownloader(owner, server.ports).poke()
    expect(await stateOf(salt)).toMatchObject({
      state: 'failed',
      failure: 'space',
      stored: new Map([[1, expect.any(String)]]),
    })
    // Chapter 2 was incomplete: positions need its space more.
    expect(await soundDb.use(owner, (db) => db.chunks.count())).toBe(2)
  })

  test.each(['files', 'titles'] as const)(
    'trap 12: a full device is reported by any failing write (%s), and earlier downloads stay complete',
    async (table) => {
      await add('earlier', {})
      const server = await shop()
      await want(server, salt)
      // Like Chromium: the transaction fails after the write itself was accepted.
      const full = Object.assign(new Error('AbortError'), {
        name: 'AbortError',
        inner: new DOMException('full', 'QuotaExceededError'),
      })
      const refuse = () => {
        throw full
      }
      await soundDb.use(owner, async (db) => {
        if (table === 'files') db.files.hook('creating', refuse)
        else db.titles.hook('updating', refuse)
      })
      const failed: string[] = []
      await createDownloader(owner, server.ports, { failed: (_key, reason) => failed.push(reason) }).poke()
      expect(failed).toEqual(['space'])
      expect(await stateOf(titleKey('audio', 'earlier'))).toMatchObject({ state: 'done' })
      for (const chapter of [1, 2])
        expect(await checkFile(owner, titleKey('audio', 'earlier'), chapter)).toBe(true)
    },
  )

  test('trap 12: the failure is reported even if the full device cannot store it', async () => {
    const server = await shop()
    await want(server, salt)
    await full(99)
    await soundDb.use(owner, async (db) => {
      db.titles.hook('updating', () => {
        throw new DOMException('full', 'QuotaExceededError')
      })
    })
    const failed = new Map<TitleKey, 'space' | 'refused' | 'broken'>()
    await createDownloader(owner, server.ports, {
      failed: (key, reason) => void failed.set(key, reason),
    }).poke()
    expect(downloadsFrom(await listHoldings(owner), true, failed).get(salt)).toMatchObject({
      state: 'failed',
      failure: 'space',
    })
  })

  test("trap 12: a title without stored chapters doesn't prevent the removal of others", async () => {
    const server = await shop()
    await want(server, titleKey('audio', 'empty'), { kept: 0, wanted: 0 })
    await finish('finished', 1)
    await full(1)
    await storeChunk(owner, chunk, { removeFinished: true })
    expect(await readTitle(owner, titleKey('audio', 'finished'))).toBeUndefined()
  })

  test('listening: a finished title is removed after the chosen number of days, not before', async () => {
    await finish('finished', 1_000)
    expect(await removeFinishedTitles(owner, 1, 1_000 + 86_399_000)).toEqual([])
    expect(await removeFinishedTitles(owner, 7, 1_000 + 6 * 86_400_000)).toEqual([])
    expect(await removeFinishedTitles(owner, 1, 1_000 + 86_400_000)).toEqual([titleKey('audio', 'finished')])
  })

  test('the oldest automatic chapters are removed first, and a title with its last chapter', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e']) await add(slug, { kept: 0 })
    await trimTemporary(owner)
    const left = (await listHoldings(owner)).map(
      ({ title, files }) => `${slugOfKey(title.key)}${files.length}`,
    )
    expect(left.join(' ')).toBe('b2 c2 d2 e2')
  })

  test('listening: planned chapters are not trimmed like other automatic downloads', async () => {
    const plan = [{ slug: 'a', title: 'a', begun: false, chapters: [{ chapter: 1, seconds: 1, bytes: 1 }] }]
    await writeWish(owner, { ...USUAL_WISH, on: true, plan })
    for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) await add(slug, { kept: 0 })
    await trimTemporary(owner)
    const left = (await listHoldings(owner)).map(
      ({ title, files }) => `${slugOfKey(title.key)}${files.length}`,
    )
    expect(left.join(' ')).toMatch(/^a1 c2 d2 e2 f2$/)
  })

  test('a title without chapters stays if it was downloaded or is being fetched', async () => {
    const server = await shop()
    await want(server, titleKey('audio', 'wanted'))
    await want(server, salt, { kept: 0, wanted: 0 })
    await storeChunk(owner, chunk, { removeFinished: false })
    await trimTemporary(owner)
    expect((await listHoldings(owner)).map(({ title }) => slugOfKey(title.key))).toEqual(['salt', 'wanted'])
  })
})
