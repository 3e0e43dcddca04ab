import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mediaPath } from './paths.ts'
import { fingerprint, storeBytes, storeFile } from './store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'murmur-store-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const aFile = async (text: string) => {
  const path = join(folder, 'sound.mp3')
  writeFileSync(path, text)
  return { path, file: { ...(await fingerprint(path)), extension: 'mp3' } }
}
const names = () =>
  readdirSync(join(folder, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('a file is kept under the name of its content, once', async () => {
  const { path, file } = await aFile('a chapter')
  const to = mediaPath(join(folder, 'media'), file)
  expect(to).toContain(join('media', file.sha256.slice(0, 2), `${file.sha256}.mp3`))
  await Promise.all([1, 2, 3].map(() => storeFile(join(folder, 'media'), path, file)))
  expect(readFileSync(to, 'utf8')).toBe('a chapter')
  expect(names()).toEqual([`${file.sha256}.mp3`])
  const before = statSync(to).mtimeMs
  await storeFile(join(folder, 'media'), path, file)
  expect(statSync(to).mtimeMs).toBe(before)
})

test('a file that changed while it was read is refused, and leaves nothing behind', async () => {
  const { path, file } = await aFile('a chapter')
  writeFileSync(path, 'another chapter')
  await expect(storeFile(join(folder, 'media'), path, file)).rejects.toThrow(
    /changed while it was being copied/,
  )
  expect(names()).toEqual([])
})

test('what was left half written is written again', async () => {
  const to = join(folder, 'media', 'covers', 'x-330.webp')
  await storeBytes(to, Buffer.from('whole'))
  writeFileSync(to, 'who')
  await storeBytes(to, Buffer.from('whole'))
  expect(readFileSync(to, 'utf8')).toBe('whole')
})
