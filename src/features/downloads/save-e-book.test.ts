import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { sha256, completeFile, writeChunk } from '#storage/sound-store.ts'
import { titleKey } from '#storage/title-key.ts'
import { saveEBook } from './save-e-book.ts'

const slug = 'ordinary-weather'
const key = titleKey('ebook', slug)
const file = Uint8Array.from({ length: 700 }, (_, at) => at % 251)
let ownerUuid: string
beforeEach(() => {
  ownerUuid = crypto.randomUUID()
})

async function downloaded() {
  await writeChunk(ownerUuid, { title: key, chapter: 1, index: 0, bytes: file.slice().buffer })
  const wanted = { chapter: 1, name: '', playtime: 0, bytes: file.length, sha256: await sha256(file) }
  await completeFile(ownerUuid, key, wanted, 'application/epub+zip')
}

test('BOOK-17: an e-book is saved from a freshly signed URL', async () => {
  const save = vi.fn()
  const address = () => Promise.resolve('/media/e_books/7.epub?signed=now')
  expect(await saveEBook({ ownerUuid, slug, address, save })).toBe(true)
  expect(save).toHaveBeenCalledExactlyOnceWith('/media/e_books/7.epub?signed=now', 'ordinary-weather.epub')
})

test('BOOK-17: without an answer the stored e-book is saved byte for byte, if there is one', async () => {
  const saved: string[] = []
  const ask = () =>
    saveEBook({
      ownerUuid,
      slug,
      address: () => Promise.reject(new Error('offline')),
      save: (address) => saved.push(address),
    })
  expect(await ask()).toBe(false)
  await downloaded()
  expect(await ask()).toBe(true)
  expect(saved).toHaveLength(1)
  expect(new Uint8Array(await (await fetch(saved[0]!)).arrayBuffer())).toEqual(file)
})
