import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { CHUNK_BYTES, soundPath } from '#storage/sound-path.ts'
import { sha256, completeFile, writeChunk } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { writeValue } from '#storage/values.ts'
import type { FetchCall } from './request-handler.ts'
import { handleSound } from './sound.ts'

const SHOP = 'http://shop.test'
const key = titleKey('audio', 'salt')
/** A chapter of one whole chunk and nine more bytes. */
const sound = new Uint8Array(CHUNK_BYTES + 9).map((_byte, at) => at % 251)
let owner: string

function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const request = new Request(SHOP + path, { method, headers })
  return handleSound({ request } as unknown as FetchCall, new URL(request.url))
}

beforeEach(async () => {
  owner = crypto.randomUUID()
  await writeValue('rememberedUser', { uuid: owner, firstName: '', fullName: '' })
  for (const index of [0, 1]) {
    const bytes = sound.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES).buffer
    await writeChunk(owner, { title: key, chapter: 1, index, bytes })
  }
  const file = { chapter: 1, name: 'One', playtime: 60, bytes: sound.length, sha256: await sha256(sound) }
  await completeFile(owner, key, file, 'audio/mpeg')
})

test('trap 3: a stored chapter is answered in ranges, also across a chunk border', async () => {
  const [from, to] = [CHUNK_BYTES - 2, CHUNK_BYTES + 1]
  const answer = await ask(soundPath(owner, 'salt', 1), { range: `bytes=${from}-${to}` })
  expect(answer?.status).toBe(206)
  expect(answer?.headers.get('content-range')).toBe(`bytes ${from}-${to}/${sound.length}`)
  expect(answer?.headers.get('content-type')).toBe('audio/mpeg')
  expect(new Uint8Array(await answer!.arrayBuffer())).toEqual(sound.slice(from, to + 1))
})

test('an audio element’s HEAD request is answered without sound', async () => {
  const answer = await ask(soundPath(owner, 'salt', 1), {}, 'HEAD')
  expect([answer?.status, answer?.headers.get('content-length')]).toEqual([200, String(sound.length)])
  expect((await answer!.arrayBuffer()).byteLength).toBe(0)
})

test.each([
  ['of another chapter', () => soundPath(owner, 'salt', 2)],
  ['of another book', () => soundPath(owner, 'pepper', 1)],
])('PLAY-29: sound %s is not found, and not requested from the network', async (_whose, path) => {
  expect((await ask(path()))?.status).toBe(404)
})

test('PLAY-29: stored sound is not served after its user logged out', async () => {
  await writeValue('rememberedUser', { uuid: crypto.randomUUID(), firstName: '', fullName: '' })
  expect((await ask(soundPath(owner, 'salt', 1)))?.status).toBe(404)
})

test.each(['/media/sound/0a.mp3', '/api/audio_books/salt', '/audiobooks/salt', '/'])(
  'trap 5: %s is not handled',
  (path) => expect(ask(path)).toBeUndefined(),
)
