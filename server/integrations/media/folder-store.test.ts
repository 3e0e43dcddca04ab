import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fingerprint } from './files.ts'
import { FolderStore } from './folder-store.ts'
import { MissingMedia } from './media-store.ts'
import { mediaPath } from './paths.ts'

let folder: string
let store: FolderStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmur-store-'))
  store = new FolderStore(join(folder, 'media'))
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const aFile = async (text: string) => {
  const file = join(folder, 'sound.mp3')
  writeFileSync(file, text)
  const known = await fingerprint(file)
  return { content: { file, ...known }, path: mediaPath({ ...known, extension: 'mp3' }) }
}
const at = (path: string) => join(folder, 'media', path)
const names = async () => (await Array.fromAsync(store.list())).map(({ path }) => path)

test('a file is stored once, under a name made from its content', async () => {
  const { path, content } = await aFile('a chapter')
  expect(path).toBe(`${content.sha256.slice(0, 2)}/${content.sha256}.mp3`)
  await Promise.all([1, 2, 3].map(() => store.put(path, content)))
  expect(readFileSync(at(path), 'utf8')).toBe('a chapter')
  expect(await names()).toEqual([path])
  const before = statSync(at(path)).mtimeMs
  await store.put(path, content)
  expect(statSync(at(path)).mtimeMs).toBe(before)
  expect(readdirSync(folder)).toContain('sound.mp3')
})

test('a file that changed while it was read is refused, and leaves nothing behind', async () => {
  const { path, content } = await aFile('a chapter')
  writeFileSync(content.file, 'another chapter')
  await expect(store.put(path, content)).rejects.toThrow(/changed while it was being copied/)
  expect(readdirSync(join(folder, 'media'), { recursive: true })).toEqual([path.slice(0, 2)])
})

test('a half-written file is written again, and files being written are not listed', async () => {
  const path = 'covers/ab/abcdef-330.webp'
  await store.put(path, Buffer.from('whole'))
  writeFileSync(at(path), 'who')
  await store.put(path, Buffer.from('whole'))
  expect(readFileSync(at(path), 'utf8')).toBe('whole')
  writeFileSync(`${at(path)}.1234.part`, 'wh')
  expect(await names()).toEqual([path])
})

test('a missing file has no size and no bytes, and a missing folder is an empty store', async () => {
  expect(await names()).toEqual([])
  expect(await store.size('ab/none.mp3')).toBeUndefined()
  for (const length of [1, 5_000_000])
    await expect(store.read('ab/none.mp3', 0, length)).rejects.toBeInstanceOf(MissingMedia)
  await expect(store.stream('ab/none.mp3')).rejects.toBeInstanceOf(MissingMedia)
  await store.put('ab/some.mp3', Buffer.from('some'))
  expect((await buffer(await store.stream('ab/some.mp3'))).toString()).toBe('some')
  await store.remove('ab/some.mp3')
  await store.remove('ab/some.mp3')
  expect(await names()).toEqual([])
})
