import 'fake-indexeddb/auto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { CHUNK_BYTES, soundPath } from './sound-path.ts'
import { checkHoldings, listHoldings } from './inventory.ts'
import {
  sha256,
  sha256OfParts,
  changeTitle,
  checkFile,
  completeFile,
  putTitle,
  readInStep,
  readTitle,
  readWhole,
  removeTitle,
  storedChunks,
  storedFile,
  writeChunk,
  writeInStep,
} from './sound-store.ts'
import { answerSound } from '../../sw/sound.ts'
import { soundDb, type StoredTitle } from './sound-db.ts'
import { titleKey } from './title-key.ts'
import { removeValue, writeValue } from './values.ts'

const key = titleKey('audio', 'salt')
let owner: string

/** Two chunks and a bit, to cross chunk borders. */
const sound = Uint8Array.from({ length: 2 * CHUNK_BYTES + 500 }, (_, at) => (at * 31) % 251)
const chunk = (index: number) => sound.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES).buffer
const wanted = async (chapter: number) => ({
  chapter,
  name: 'One',
  playtime: 60,
  bytes: sound.length,
  sha256: await sha256(sound),
})

async function store(chapter = 1) {
  for (const index of [0, 1, 2]) await writeChunk(owner, { title: key, chapter, index, bytes: chunk(index) })
  return completeFile(owner, key, await wanted(chapter), 'audio/mpeg')
}
const title = async (change: Partial<StoredTitle> = {}) =>
  aStoredTitle({ files: [await wanted(1)], kept: 1, addedAtMs: 0, ...change })

beforeEach(async () => {
  owner = crypto.randomUUID()
  await writeValue('rememberedUser', { uuid: owner, firstName: '', fullName: '' })
})

describe('storing', () => {
  test('trap 14: a Blob is refused before it reaches the database', async () => {
    const bytes = new Blob(['x']) as unknown as ArrayBuffer
    await expect(writeChunk(owner, { title: key, chapter: 1, index: 0, bytes })).rejects.toThrow(TypeError)
    await expect(async () => putTitle(owner, await title({ cover: bytes }))).rejects.toThrow(TypeError)
  })

  test('a file is complete only with the expected length and hash; anything else is removed', async () => {
    await expect(store()).resolves.toBe(true)
    expect(await storedFile(owner, key, 1)).toMatchObject({ bytes: sound.length, chunkCount: 3 })

    await writeChunk(owner, { title: key, chapter: 2, index: 0, bytes: chunk(1) })
    await expect(completeFile(owner, key, await wanted(2), 'audio/mpeg')).resolves.toBe(false)
    expect(await soundDb.use(owner, (db) => db.chunks.count())).toBe(3)
  })

  test.each([
    ['neither length nor hash', 0, '', true],
    ['its length only', 500, '', true],
    ['another length', 501, '', false],
    ['its hash only', 0, 'right', true],
    ['another hash', 0, 'wrong', false],
    ['its length and another hash', 500, 'wrong', false],
    ['its hash and another length', 501, 'right', false],
  ])('a file of 500 bytes, described by the server with %s', async (_what, bytes, hash, whole) => {
    await writeChunk(owner, { title: key, chapter: 1, index: 0, bytes: chunk(2) })
    const promised = hash === 'right' ? await sha256(chunk(2)) : hash
    const file = { ...(await wanted(1)), bytes, sha256: promised }
    expect(await completeFile(owner, key, file, 'audio/mpeg')).toBe(whole)
    expect(await readWhole(owner, key, 1)).toEqual(whole ? chunk(2) : undefined)
  })

  test('a chapter is verified chunk by chunk, however long it is', async () => {
    for (const index of [0, 1, 2])
      await writeChunk(owner, { title: key, chapter: 1, index, bytes: chunk(index) })
    const file = await wanted(1)
    const digest = vi.spyOn(crypto.subtle, 'digest')
    expect(await completeFile(owner, key, file, 'audio/mpeg')).toBe(true)
    // The browser's own digest needs all bytes at once.
    expect(digest).not.toHaveBeenCalled()
    digest.mockRestore()
  })

  test('the hash of parts equals that of the whole, however it is split', async () => {
    for (const cut of [0, 1, 63, 64, 65, CHUNK_BYTES, sound.length]) {
      const hash = sha256OfParts()
      for (const part of [sound.slice(0, cut), sound.slice(cut)]) hash.add(part.buffer)
      expect(hash.hex()).toBe(await sha256(sound))
    }
  })

  test('a file without chunks, or with a missing one, is not read as a whole', async () => {
    expect(await completeFile(owner, key, { ...(await wanted(1)), bytes: 0, sha256: '' }, '')).toBe(false)
    await writeChunk(owner, { title: key, chapter: 1, index: 0, bytes: chunk(2) })
    await writeChunk(owner, { title: key, chapter: 1, index: 2, bytes: chunk(2) })
    expect(await readWhole(owner, key, 1)).toBeUndefined()
  })

  test('a change to a removed title is not stored', async () => {
    expect(await changeTitle(owner, key, { wanted: 1 })).toBe(false)
    expect(await readTitle(owner, key)).toBeUndefined()
    await putTitle(owner, await title())
    expect(await changeTitle(owner, key, { wanted: 1 })).toBe(true)
  })

  test('removing a title removes all of it and nothing of the others', async () => {
    await putTitle(owner, await title())
    await store()
    const neighbour = titleKey('audio', 'salt-road')
    await writeChunk(owner, { title: neighbour, chapter: 1, index: 0, bytes: chunk(0) })
    await removeTitle(owner, key)
    expect(await readTitle(owner, key)).toBeUndefined()
    expect(await soundDb.use(owner, (db) => db.chunks.toCollection().primaryKeys())).toEqual([
      [neighbour, 1, 0],
    ])
  })

  test('in step: where each sentence is spoken is removed with the audiobook, and stays without the e-book', async () => {
    await writeInStep(owner, 'salt', new ArrayBuffer(1))
    await removeTitle(owner, titleKey('ebook', 'salt'))
    expect(await readInStep(owner, 'salt')).toBeDefined()
    await removeTitle(owner, key)
    expect(await readInStep(owner, 'salt')).toBeUndefined()
  })
})

describe('answering the player', () => {
  const ask = (range?: string, method = 'GET', whose = owner) =>
    answerSound(
      new Request(`http://shop.test${soundPath(whose, 'salt', 1)}`, {
        method,
        ...(range ? { headers: { range } } : {}),
      }),
    )
  const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

  test('trap 3: a range is answered 206 with exactly its bytes, across chunk borders', async () => {
    await store()
    const first = CHUNK_BYTES - 10
    const last = 2 * CHUNK_BYTES + 10
    const response = await ask(`bytes=${first}-${last}`)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${last}/${sound.length}`)
    expect(response.headers.get('content-length')).toBe(String(last - first + 1))
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(await sha256(await bytesOf(response))).toBe(await sha256(sound.slice(first, last + 1)))
  })

  test('trap 3: also if it begins in a later chunk', async () => {
    await store()
    const first = CHUNK_BYTES + 5
    const last = 2 * CHUNK_BYTES + 10
    const response = await ask(`bytes=${first}-${last}`)
    expect(response.status).toBe(206)
    expect(await sha256(await bytesOf(response))).toBe(await sha256(sound.slice(first, last + 1)))
  })

  test('trap 3: beyond the end is 416, a HEAD has no body, no range is the whole', async () => {
    await store()
    const beyond = await ask(`bytes=${sound.length}-`)
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${sound.length}`])
    const head = await ask(undefined, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(sound.length)])
    expect((await bytesOf(await ask())).length).toBe(sound.length)
  })

  test('trap 3: a chapter with a missing chunk is 404, never a shorter answer', async () => {
    await store()
    await soundDb.use(owner, (db) => db.chunks.delete([key, 1, 1]))
    expect((await ask(`bytes=${CHUNK_BYTES}-`)).status).toBe(404)
    expect((await ask()).status).toBe(404)
  })

  test('PLAY-29: after log-out no request is answered, and another user can’t read it', async () => {
    await store()
    expect((await ask('bytes=0-1')).status).toBe(206)
    await writeValue('rememberedUser', { uuid: crypto.randomUUID(), firstName: '', fullName: '' })
    expect((await ask('bytes=0-1')).status).toBe(404)
    await removeValue('rememberedUser')
    expect((await ask('bytes=0-1')).status).toBe(404)
  })
})

test('a title’s size is its complete chapters plus each chunk of incomplete ones', async () => {
  await putTitle(
    owner,
    await title({ files: [await wanted(1), await wanted(2), await wanted(3)], wanted: 1 }),
  )
  await store(1)
  await store(2)
  for (const index of [0, 1]) await writeChunk(owner, { title: key, chapter: 3, index, bytes: chunk(index) })
  const [holding] = await listHoldings(owner)
  expect(holding?.begun).toEqual(new Map([[3, 2]]))
  expect(holding?.bytes).toBe(2 * sound.length + 2 * CHUNK_BYTES)
})

describe('the check at start-up', () => {
  test('trap 11: a chunk removed behind the app marks the title as wanted, and is reported', async () => {
    await putTitle(owner, await title())
    await store()
    await expect(checkHoldings(owner)).resolves.toEqual({ lost: [], orphans: 0 })

    await soundDb.use(owner, (db) => db.chunks.delete([key, 1, 2]))
    await expect(checkHoldings(owner)).resolves.toEqual({ lost: [key], orphans: 0 })
    expect(await storedFile(owner, key, 1)).toBeUndefined()
    expect(await readTitle(owner, key)).toMatchObject({ wanted: 1, lost: 1 })
    // The chapter's other chunks stay, so that only the missing one is fetched.
    expect((await listHoldings(owner))[0]?.begun.get(1)).toBe(2)
  })

  test('trap 11: chunks that belong to no title are removed', async () => {
    await putTitle(owner, await title())
    await store()
    await writeChunk(owner, { title: titleKey('audio', 'nobody'), chapter: 1, index: 0, bytes: chunk(0) })
    await writeChunk(owner, { title: key, chapter: 9, index: 0, bytes: chunk(0) })
    await expect(checkHoldings(owner)).resolves.toEqual({ lost: [], orphans: 2 })
  })

  test('trap 11: the chapters of a title that is gone go too, and are not fetched again', async () => {
    await store()
    await expect(checkHoldings(owner)).resolves.toEqual({ lost: [], orphans: 3 })
    expect(await storedFile(owner, key, 1)).toBeUndefined()
  })

  test('trap 11: an incomplete chapter is neither lost nor orphaned', async () => {
    await putTitle(owner, await title({ wanted: 1 }))
    await writeChunk(owner, { title: key, chapter: 1, index: 0, bytes: chunk(0) })
    await expect(checkHoldings(owner)).resolves.toEqual({ lost: [], orphans: 0 })
  })
})

describe('a chapter that fails to play', () => {
  beforeEach(async () => {
    await putTitle(owner, await title())
    await store()
  })

  test('stays as it is if all of its chunks are intact', async () => {
    await expect(checkFile(owner, key, 1)).resolves.toBe(true)
    expect(await readTitle(owner, key)).toMatchObject({ wanted: 0, lost: 0 })
    expect(await readWhole(owner, key, 1)).toEqual(sound.buffer)
  })

  test.each([
    ['trap 11: a part that is gone', () => soundDb.use(owner, (db) => db.chunks.delete([key, 1, 1]))],
    [
      'trap 14: a part that came back empty',
      () => soundDb.use(owner, (db) => db.chunks.update([key, 1, 1], { bytes: new ArrayBuffer(0) })),
    ],
    [
      'a part that is not what was stored',
      () => soundDb.use(owner, (db) => db.chunks.update([key, 1, 1], { bytes: chunk(0) })),
    ],
  ])('%s is the only part that is fetched again', async (_what, spoil) => {
    await spoil()
    await expect(checkFile(owner, key, 1)).resolves.toBe(false)
    expect(await storedFile(owner, key, 1)).toBeUndefined()
    expect(await storedChunks(owner, key, 1)).toEqual([0, 2])
    expect(await readTitle(owner, key)).toMatchObject({ wanted: 1, lost: 1 })
  })

  test.each([
    ['was never whole', { files: [] }, 2],
    ['nobody asked to keep', { kept: 0 } as const, 1],
    ['a full device could not hold', { failure: 'space' } as const, 1],
  ])('no file of a title that %s is fetched again', async (_what, change, chapter) => {
    await putTitle(owner, await title(change))
    await soundDb.use(owner, (db) => db.chunks.clear())
    await expect(checkFile(owner, key, chapter)).resolves.toBe(false)
    expect(await readTitle(owner, key)).toMatchObject({ wanted: 0, lost: 0 })
  })
})
