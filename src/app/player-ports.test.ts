import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sha256, completeFile, putTitle, readTitle, writeChunk } from '#storage/sound-store.ts'
import { answerSound } from '../../sw/sound.ts'
import { soundDb, type StoredTitle } from '#storage/sound-db.ts'
import { soundPath } from '#storage/sound-path.ts'
import { writeValue } from '#storage/values.ts'
import type { Book } from '#contract/catalogue.ts'
import { openDownloadsOf, renewDownload } from '#features/downloads/lazy.ts'
import { connectivity } from '#net/connectivity.ts'
import { configureNet } from '#net/settings.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeEnded, becomeUser, becomeVisitor } from '#session/store.ts'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { fromShop } from '#tests/support/shop-response.ts'
import { soon } from '#tests/support/wait-for.ts'
import { tokenOf } from '#tests/support/access-tokens.ts'
import { playerPorts } from './player-ports.ts'
import type { PlayerPorts } from '#features/player/ports.ts'

const STORED = aStoredTitle({
  authors: ['Imogen Tarrant'],
  narrators: ['Della Voss'],
  files: [{ chapter: 1, name: 'The tide table', playtime: 60, bytes: 10, sha256: '' }],
})
const listener = () => ({ uuid: crypto.randomUUID(), firstName: 'Rosa', fullName: 'Rosa Lind' })
let asked: string[]
let answer: () => Promise<unknown>
let token: string | undefined

beforeEach(() => {
  asked = []
  token = undefined
  answer = () => Promise.reject(new NetProblem('refused', 401))
  configureNet({
    exchange: ({ path }: { path: string }) => {
      asked.push(path)
      return answer()
    },
    tokens: {
      read: () => Promise.resolve(token ? { token } : undefined),
      readNewest: () => Promise.resolve(undefined),
      write: () => Promise.resolve(),
      clear: () => Promise.resolve(),
    },
    onAnswer: () => undefined,
    onSessionEnded: () => undefined,
  } as unknown as Parameters<typeof configureNet>[0])
})
afterEach(() => {
  void openDownloadsOf(undefined)
  becomeVisitor()
  vi.restoreAllMocks()
})

const openPorts = () => playerPorts(new QueryClient())

async function ports(owner: ReturnType<typeof listener>, stored?: StoredTitle) {
  if (stored) await putTitle(owner.uuid, stored)
  void openDownloadsOf(owner.uuid)
  return openPorts()
}

test('after an expired session a stored title opens with its audio, without a request', async () => {
  const owner = listener()
  becomeEnded(owner)
  const book = await (await ports(owner, STORED)).loadBook('salt')
  expect(book.chapters.map(({ title }) => title)).toEqual(['The tide table'])
  expect(asked).toEqual([])
})

test('a stored title opens even if its request ends the session', async () => {
  const owner = listener()
  token = tokenOf(owner.uuid)
  becomeUser(owner, null)
  const book = await (await ports(owner, STORED)).loadBook('salt')
  expect(book.chapters).toHaveLength(1)
  expect(asked).toEqual(['/api/audio_books/salt'])
})

test('trap 22: a title with stored chapters waits only 300 ms for a silent server, requested download or not', async () => {
  const owner = listener()
  token = tokenOf(owner.uuid)
  becomeUser(owner, null)
  answer = () => new Promise(() => undefined)
  await writeChunk(owner.uuid, { title: STORED.key, chapter: 1, index: 0, bytes: new ArrayBuffer(10) })
  await completeFile(owner.uuid, STORED.key, STORED.files[0]!, 'audio/mpeg')
  const { loadBook } = await ports(owner, { ...STORED, kept: 0 })
  const begun = Date.now()
  expect((await loadBook('salt')).chapters.map(({ title }) => title)).toEqual(['The tide table'])
  expect(asked).toEqual(['/api/audio_books/salt'])
  expect(Date.now() - begun).toBeGreaterThan(250)
})

test('after an expired session a title that is not stored asks for a login', async () => {
  const owner = listener()
  becomeEnded(owner)
  answer = () => Promise.resolve({ slug: 'salt', audioFiles: [] })
  await expect((await ports(owner)).loadBook('salt')).rejects.toMatchObject({ status: 401 })
  expect(asked).toEqual([])
})

test('after an expired session public recordings still load', async () => {
  const owner = listener()
  becomeEnded(owner)
  answer = () => Promise.resolve({ slug: 'tide', audioFile: '/media/tide.mp3' })
  const { soundFor } = await ports(owner)
  expect(await soundFor({ slug: 'interviews/tide', kind: 'recording' }, 1, { fresh: false })).toEqual({
    url: '/media/tide.mp3',
    stored: false,
  })
})

test('a bookmark unknown to the server has no earlier notes; other failures reject', async () => {
  const owner = listener()
  token = tokenOf(owner.uuid)
  becomeUser(owner, null)
  const { bookmarks } = await ports(owner)
  answer = () => Promise.reject(new NetProblem('refused', 404))
  expect(await bookmarks.earlierNotes('mark')).toEqual([])
  for (const problem of [new NetProblem('server', 500), new Error('broken')]) {
    answer = () => Promise.reject(problem)
    await expect(bookmarks.earlierNotes('mark')).rejects.toBe(problem)
  }
})

describe('a stored chapter that cannot be read', () => {
  const { key } = STORED
  const sound = new TextEncoder().encode('a chapter of sound')
  const streamed = { url: '/media/sound/salt.mp3?sig=1', stored: false }
  let owner: ReturnType<typeof listener>
  let stored: { url: string; stored: boolean }
  const ask = async (fresh: boolean) => ask.ports.soundFor({ slug: 'salt', kind: 'book' }, 1, { fresh })
  ask.ports = undefined as unknown as PlayerPorts
  /** The status of a request for the stored address. */
  const play = async () => (await fetch(stored.url, { headers: { range: 'bytes=0-1' } })).status

  beforeEach(async () => {
    owner = listener()
    token = tokenOf(owner.uuid)
    const file = { ...STORED.files[0]!, bytes: sound.length, sha256: await sha256(sound) }
    stored = { url: soundPath(owner.uuid, 'salt', 1, file.sha256), stored: true }
    const audio = { url: streamed.url, chapterTitle: file.name, chapterOrderNumber: 1, playtime: 60 }
    const { bytes, sha256: hash } = file
    const book = { entityType: 'audioBook', slug: 'salt', audioFiles: [{ ...audio, bytes, sha256: hash }] }
    answer = async () => book
    await writeValue('rememberedUser', owner)
    await writeChunk(owner.uuid, { title: key, chapter: 1, index: 0, bytes: sound.slice().buffer })
    await completeFile(owner.uuid, key, file, 'audio/mpeg')
    becomeUser(owner, null)
    vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage: () => undefined } } })
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) =>
      path.startsWith('/device/sound/')
        ? answerSound(new Request(`http://shop.test${path}`, init))
        : fromShop(sound, { headers: { 'content-type': 'audio/mpeg' } }),
    )
    ask.ports = await ports(owner, { ...STORED, kept: 1, files: [file] })
    // From here on the player has its address.
    await ask(false)
  })
  afterEach(() => {
    connectivity.note(true)
    vi.unstubAllGlobals()
  })

  test.each([
    ['the browser cleared a part of it away', () => soundDb.use(owner.uuid, (db) => db.chunks.clear())],
    [
      'a part of it came back empty',
      () =>
        soundDb.use(owner.uuid, (db) =>
          db.chunks.toCollection().modify((chunk) => void (chunk.bytes = new ArrayBuffer(0))),
        ),
    ],
  ])('trap 11: where %s it is streamed, and fetched again in the same page', async (_what, spoil) => {
    await spoil()
    expect(await ask(true)).toEqual(streamed)
    await soon(async () => expect(await readTitle(owner.uuid, key)).toMatchObject({ wanted: 0, lost: 0 }))
    await soon(async () => expect(await ask(false)).toEqual(stored))
    expect(await play()).toBe(206)
  })

  test('a prefetched one is streamed, and not counted as a requested download', async () => {
    await putTitle(owner.uuid, { ...(await readTitle(owner.uuid, key))!, kept: 0 })
    await soundDb.use(owner.uuid, (db) => db.chunks.clear())
    expect(await ask(true)).toEqual(streamed)
    expect(await readTitle(owner.uuid, key)).toMatchObject({ wanted: 0, lost: 0 })
  })

  test('a complete one is skipped once, but not if the network has none', async () => {
    expect(await ask(true)).toEqual(streamed)
    expect(await ask(true)).toEqual(stored)
    connectivity.lost()
    expect(await ask(true)).toEqual(stored)
  })

  test('a newly stored one that was not played before is played from the device', async () => {
    ask.ports = await openPorts()
    expect(await ask(true)).toEqual(stored)
  })
})

describe('a downloaded title whose chapters the owner changed', () => {
  const { key } = STORED
  const sounds = { tide: 'the tide table', shore: 'the far shore', gale: 'a gale' }
  type Chapter = readonly [name: string, sound: keyof typeof sounds]
  let owner: ReturnType<typeof listener>
  let device: PlayerPorts

  const bytesOf = (name: keyof typeof sounds) => new TextEncoder().encode(sounds[name])
  const filesOf = (chapters: readonly Chapter[]) =>
    Promise.all(
      chapters.map(async ([name, sound], index) => ({
        chapter: index + 1,
        name,
        playtime: 60 + sounds[sound].length,
        bytes: bytesOf(sound).length,
        sha256: await sha256(bytesOf(sound)),
      })),
    )
  const bookOf = async (chapters: readonly Chapter[]) => ({
    entityType: 'audioBook',
    slug: 'salt',
    title: 'The Salt Ledger',
    authors: [],
    narrators: [],
    series: [],
    audioFiles: (await filesOf(chapters)).map(({ chapter, name, ...file }, index) => ({
      ...file,
      chapterOrderNumber: chapter,
      chapterTitle: name,
      url: `/media/sound/${chapters[index]![1]}`,
    })),
  })
  /** The names of the chapters, each with what is heard under it, from the device or else from the server. */
  const heard = async () => {
    const book = await device.loadBook('salt')
    return Promise.all(
      book.chapters.map(async ({ number, title }) => {
        const { url = '' } = (await device.soundFor(book, number, { fresh: false })) ?? {}
        const sound = await fetch(url).then((response) => response.text())
        return `${title}: ${sound}${url.startsWith('/device/') ? '' : ' (streamed)'}`
      }),
    )
  }

  beforeEach(async () => {
    owner = listener()
    token = tokenOf(owner.uuid)
    await writeValue('rememberedUser', owner)
    becomeUser(owner, null)
    vi.stubGlobal('navigator', { serviceWorker: { controller: { postMessage: () => undefined } } })
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
      if (path.startsWith('/device/sound/')) return answerSound(new Request(`http://shop.test${path}`, init))
      const sound = path.split('/').at(-1) as keyof typeof sounds
      return sound in sounds
        ? fromShop(bytesOf(sound), { headers: { 'content-type': 'audio/mpeg' } })
        : new Response(null, { status: 404 })
    })
    const files = await filesOf([
      ['The tide table', 'tide'],
      ['The far shore', 'shore'],
    ])
    for (const [index, sound] of (['tide', 'shore'] as const).entries()) {
      const at = { title: key, chapter: index + 1, index: 0 }
      await writeChunk(owner.uuid, { ...at, bytes: bytesOf(sound).slice().buffer })
      await completeFile(owner.uuid, key, files[index]!, 'audio/mpeg')
    }
    device = await ports(owner, { ...STORED, kept: 1, files })
  })
  afterEach(() => {
    connectivity.note(true)
    vi.unstubAllGlobals()
  })

  test('reordered and renamed, each name plays its sound from the device, online and then offline', async () => {
    const book = await bookOf([
      ['Across', 'shore'],
      ['The tide table', 'tide'],
    ])
    answer = async () => book
    const renewed = ['Across: the far shore', 'The tide table: the tide table']
    await soon(async () => expect(await heard()).toEqual(renewed))
    connectivity.lost()
    expect(await heard()).toEqual(renewed)
  })

  test('a list that was opened before the change still plays each name’s sound', async () => {
    const before = await bookOf([
      ['The tide table', 'tide'],
      ['The far shore', 'shore'],
    ])
    answer = async () => before
    const opened = await device.loadBook('salt')
    const after = await bookOf([
      ['The far shore', 'shore'],
      ['The tide table', 'tide'],
    ])
    await renewDownload(after as unknown as Book)
    const { url } = (await device.soundFor(opened, 1, { fresh: false }))!
    expect(await (await fetch(url)).text()).toBe('the tide table')
  })

  test('a replaced sound is streamed under its name, and fetched again; the rest stays', async () => {
    const book = await bookOf([
      ['The far shore', 'shore'],
      ['The tide table', 'gale'],
    ])
    answer = async () => book
    await soon(async () =>
      expect(await heard()).toEqual(['The far shore: the far shore', 'The tide table: a gale']),
    )
    expect(await readTitle(owner.uuid, key)).toMatchObject({ wanted: 0, failure: null })
  })

  test('without an answer the stored list plays as it was downloaded', async () => {
    connectivity.lost()
    expect(await heard()).toEqual(['The tide table: the tide table', 'The far shore: the far shore'])
  })
})
