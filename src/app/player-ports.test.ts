import 'fake-indexeddb/auto'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sha256, completeFile, putTitle, readTitle, writeChunk } from '#storage/sound-store.ts'
import { answerSound } from '../../sw/sound.ts'
import { soundDb, type StoredTitle } from '#storage/sound-db.ts'
import { soundPath } from '#storage/sound-path.ts'
import { writeValue } from '#storage/values.ts'
import { openDownloadsOf } from '#features/downloads/lazy.ts'
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
    stored = { url: soundPath(owner.uuid, 'salt', 1), stored: true }
    const file = { ...STORED.files[0]!, bytes: sound.length, sha256: await sha256(sound) }
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
