import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { sha256, completeFile, writeChunk } from '#storage/sound-store.ts'
import { soundPath } from '#storage/sound-path.ts'
import { titleKey } from '#storage/title-key.ts'
import { noDownload } from './model.ts'

const key = titleKey('audio', 'salt')
const sound = new TextEncoder().encode('a chapter')
let owner: string

/** A freshly loaded page that knows nothing about its worker. */
async function newPage(worker: ServiceWorker | null, answer: () => Promise<Response>) {
  vi.resetModules()
  vi.stubGlobal('navigator', { serviceWorker: { controller: worker } })
  vi.stubGlobal('fetch', vi.fn<typeof fetch>(answer))
  const { useDownloadsStore } = await import('./store.ts')
  useDownloadsStore.setState({
    byTitle: new Map([[key, { ...noDownload(key), stored: new Map([[1, await sha256(sound)]]) }]]),
  })
  return import('./sound-address.ts')
}

beforeEach(async () => {
  owner = crypto.randomUUID()
  await writeChunk(owner, { title: key, chapter: 1, index: 0, bytes: sound.slice().buffer })
  const wanted = { chapter: 1, name: 'One', playtime: 60, bytes: sound.length, sha256: await sha256(sound) }
  await completeFile(owner, key, wanted, 'audio/mpeg')
})

test('trap 15: stored sound has a URL on our own origin, which the worker answers', async () => {
  const { storedSound } = await newPage({} as ServiceWorker, async () => new Response('ab', { status: 206 }))
  const address = soundPath(owner, 'salt', 1, await sha256(sound))
  expect(await storedSound(owner, 'salt', 1)).toBe(address)
  // Known from now on, so the next chapter doesn't wait.
  expect(storedSound(owner, 'salt', 1)).toBe(address)
})

test.each([
  ['without a worker', null, async () => new Response('', { status: 404 })],
  ['with one that knows no ranges', {} as ServiceWorker, async () => new Response('a chapter')],
])('trap 15: %s the address is a typed blob of the whole chapter', async (_how, worker, answer) => {
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:chapter')
  const { storedSound } = await newPage(worker, answer)
  expect(await storedSound(owner, 'salt', 1)).toBe('blob:chapter')
  const blob = made.mock.lastCall![0] as Blob
  expect([blob.type, await blob.text()]).toEqual(['audio/mpeg', 'a chapter'])
})

test.each([
  ['where it is', 1, 'a', 1],
  ['at the number it had before', 3, 'b', 2],
  ['nowhere, if another sound took its number', 1, 'new', undefined],
  ['by its number, if a file’s hash is unknown', 4, 'd', 4],
])('a chapter’s sound is found %s', async (_where, chapter, sound, found) => {
  const { storedNumber } = await import('./sound-address.ts')
  const stored = new Map([
    [1, 'a'],
    [2, 'b'],
    [4, ''],
  ])
  expect(storedNumber(stored, chapter, sound)).toBe(found)
})
