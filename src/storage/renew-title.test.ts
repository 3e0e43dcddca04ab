import 'fake-indexeddb/auto'
import { beforeEach, expect, test } from 'vitest'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { listHoldings } from './inventory.ts'
import { renewTitle } from './renew-title.ts'
import { completeFile, putTitle, readTitle, readWhole, sha256, writeChunk } from './sound-store.ts'

const key = 'audio/salt'
let owner: string
const fileOf = async (chapter: number, sound: string) => {
  const bytes = new TextEncoder().encode(sound)
  return { chapter, name: sound, playtime: 60, bytes: bytes.length, sha256: await sha256(bytes) }
}
const filesOf = (...sounds: string[]) => Promise.all(sounds.map((sound, index) => fileOf(index + 1, sound)))
/** The stored chapters by number, and whether something is left to be fetched. */
const held = async () => {
  const [holding] = await listHoldings(owner)
  const chapters = await Promise.all(
    holding!.files.map(async ({ chapter }) => {
      const bytes = await readWhole(owner, key, chapter)
      return `${chapter} ${new TextDecoder().decode(bytes)}`
    }),
  )
  return { chapters, begun: holding!.begun.size, wanted: (await readTitle(owner, key))!.wanted }
}

beforeEach(async () => {
  owner = crypto.randomUUID()
  const files = await filesOf('one', 'two', 'three', 'four')
  await putTitle(owner, aStoredTitle({ key, kept: 1, files }))
  for (const file of files) {
    const bytes = new TextEncoder().encode(file.name).slice().buffer
    await writeChunk(owner, { title: key, chapter: file.chapter, index: 0, bytes })
    await completeFile(owner, key, file, 'audio/mpeg')
  }
})

test.each([
  ['two that changed places', ['two', 'one', 'three', 'four']],
  ['a circle of three, and one that stays', ['three', 'one', 'two', 'four']],
  ['two pairs at once', ['two', 'one', 'four', 'three']],
  ['one that moved to the front', ['four', 'one', 'two', 'three']],
  ['one that is gone', ['two', 'three', 'four']],
  ['one that is there twice', ['two', 'two', 'one', 'three', 'four']],
])('the stored sound follows %s', async (_what, sounds) => {
  await renewTitle(owner, key, { files: await filesOf(...sounds) })
  expect(await held()).toEqual({
    chapters: sounds.map((sound, index) => `${index + 1} ${sound}`),
    begun: 0,
    wanted: 0,
  })
})

test('new sound is missing until it is fetched, and nothing of the replaced one remains', async () => {
  await renewTitle(owner, key, { files: await filesOf('one', 'new', 'two', 'four') })
  expect(await held()).toEqual({ chapters: ['1 one', '3 two', '4 four'], begun: 0, wanted: 1 })
})

test('a title that was only prefetched doesn’t become a download', async () => {
  await putTitle(owner, { ...(await readTitle(owner, key))!, kept: 0 })
  await renewTitle(owner, key, { files: await filesOf('one', 'new') })
  expect(await held()).toEqual({ chapters: ['1 one'], begun: 0, wanted: 0 })
})
