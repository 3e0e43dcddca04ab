import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LONGEST_PART, OpenFiles, Parts } from './parts.ts'

let folder: string
const contents = Array.from({ length: 4 }, () => randomBytes(600_000))
const path = (n: number) => join(folder, `${n}.mp3`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'murmur-parts-'))
  for (const [n, bytes] of contents.entries()) await writeFile(path(n), bytes)
})
afterAll(() => rm(folder, { recursive: true }))

test('every part has its own bytes, while files are closed and buffers are reused', async () => {
  // One open file for four, so that nearly each read closes another one's.
  const files = new OpenFiles(1)
  const parts = new Parts(files)
  const read = async (step: number) => {
    const file = step % 4
    const start = (step * 7_919) % 300_000
    const length = step % 3 ? 1_000 : 300_000
    const part = await parts.read(path(file), start, length)
    await new Promise((resolve) => setTimeout(resolve, step % 5))
    expect(part.bytes.equals(contents[file]!.subarray(start, start + length))).toBe(true)
    part.done()
  }
  await Promise.all(Array.from({ length: 300 }, (_, step) => read(step)))
  files.closeAll()
})

test('the buffer of a part that is still being sent is not reused', async () => {
  const parts = new Parts(new OpenFiles())
  const first = await parts.read(path(0), 0, 1_000)
  const second = await parts.read(path(1), 0, 1_000)
  expect(first.bytes.buffer).not.toBe(second.bytes.buffer)
  first.done()
  const third = await parts.read(path(2), 0, 1_000)
  expect(third.bytes.buffer).toBe(first.bytes.buffer)
})

test('a part that is requested twice is cached and never overwritten', async () => {
  const parts = new Parts(new OpenFiles())
  for (let round = 0; round < 2; round += 1) (await parts.read(path(0), 5, 10)).done()
  const kept = await parts.read(path(0), 5, 10)
  kept.done()
  ;(await parts.read(path(1), 0, 10)).done()
  expect((await parts.read(path(0), 5, 10)).bytes).toBe(kept.bytes)
  expect(kept.bytes.equals(contents[0]!.subarray(5, 15))).toBe(true)
})

test('the buffer of a popular part is reused after it is evicted, and not before it has been sent', async () => {
  const parts = new Parts(new OpenFiles())
  const popular = async (start: number) => {
    ;(await parts.read(path(0), start, 200_000)).done()
    return parts.read(path(0), start, 200_000)
  }
  const onItsWay = await popular(0)
  const buffers = new Set<ArrayBufferLike>()
  // Twice the cache's capacity, so that all of the first parts are evicted.
  for (let start = 1; start <= 128; start += 1) {
    const part = await popular(start)
    buffers.add(part.bytes.buffer)
    part.done()
  }
  expect(buffers.size).toBeLessThan(80)
  expect(buffers).not.toContain(onItsWay.bytes.buffer)
  expect(onItsWay.bytes.equals(contents[0]!.subarray(0, 200_000))).toBe(true)
})

test('a missing file is reported, and found once it exists', async () => {
  const files = new OpenFiles()
  const late = path(9)
  await expect(files.size(late)).rejects.toMatchObject({ code: 'ENOENT' })
  await writeFile(late, 'late')
  expect(await files.size(late)).toBe(4)
  files.closeAll()
})

test('a part is never longer than the limit of a single read', async () => {
  const parts = new Parts(new OpenFiles())
  await expect(parts.read(path(0), 0, LONGEST_PART + 1)).rejects.toThrow('too long')
})
