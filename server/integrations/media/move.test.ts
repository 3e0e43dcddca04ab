import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaSettings } from '#server/settings/media-settings.ts'
import { type ObjectStore, objectStore } from '#tests/support/object-store.ts'
import { type Content, StoreUnavailable } from './media-store.ts'
import { moveMedia } from './move.ts'
import { mediaFolder } from './open-media.ts'
import { coverPath, mediaPath } from './paths.ts'
import { S3Store } from './s3-store.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'murmur-move-'))
const folder = mediaFolder(dataDir)
let there: ObjectStore
let store: S3Store

const pathOf = (content: string) =>
  mediaPath({ sha256: createHash('sha256').update(content).digest('hex'), extension: 'mp3' })
const chapters = Array.from({ length: 20 }, (_, chapter) => `chapter ${chapter}`)

beforeAll(async () => {
  there = await objectStore()
  store = new S3Store(mediaSettings({ MEDIA_S3_URL: there.url }).bucket!)
  for (const chapter of chapters) await folder.put(pathOf(chapter), Buffer.from(chapter))
  await folder.put(coverPath('ab'.repeat(16), '330.webp'), Buffer.from('a picture'))
})
afterAll(async () => {
  store.close()
  await there.close()
  rmSync(dataDir, { recursive: true })
})

const puts = () => there.asked.filter(({ method, status }) => method === 'PUT' && status === 200).length

test('an interrupted move continues where it stopped, and copied files are verified by reading them', async () => {
  let seen = 0
  const breaksOff = moveMedia(folder, store, () => {
    seen += 1
    if (seen === 5) there.fault = 403
  })
  await expect(breaksOff).rejects.toBeInstanceOf(StoreUnavailable)
  const before = puts()
  expect(before).toBeGreaterThanOrEqual(5)
  expect(before).toBeLessThan(21)

  there.fault = undefined
  const told: number[][] = []
  const { copied, there: found, damaged } = await moveMedia(folder, store, (...bytes) => told.push(bytes))
  expect([copied + found, damaged]).toEqual([21, []])
  expect(copied).toBe(puts() - before)
  expect(found).toBeGreaterThanOrEqual(5)
  expect(told.at(-1)![0]).toBe(told.at(-1)![1])
  for (const chapter of chapters) expect(await text(await store.stream(pathOf(chapter)))).toBe(chapter)
  expect(await moveMedia(folder, store)).toEqual({ copied: 0, there: 21, damaged: [] })
})

test('a file that does not match its name is left out and reported, and the others are copied', async () => {
  const path = pathOf('a good one')
  await folder.put(path, Buffer.from('a good one'))
  writeFileSync(join(folder.name, path), 'a bad one')
  await folder.put(pathOf('one more'), Buffer.from('one more'))
  expect(await moveMedia(folder, store)).toEqual({ copied: 1, there: 21, damaged: [path] })
  expect(await store.size(path)).toBeUndefined()
})

test('if a store returns other bytes than it got, the file is removed from it', async () => {
  await folder.put(pathOf('garbled'), Buffer.from('garbled'))
  const garbling = {
    list: () => store.list(),
    put: (path: string, content: Content) => store.put(path, content),
    remove: (path: string) => store.remove(path),
    stream: () => folder.stream(pathOf('one more')),
  }
  await expect(moveMedia(folder, garbling)).rejects.toThrow(/gave back other bytes/)
  expect(await store.size(pathOf('garbled'))).toBeUndefined()
})
