import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { measureOthersSound, removeOthersSound } from './inventory.ts'
import { keepPlace } from '#sync/outbox.ts'
import { resumePlace } from './places.ts'
import { completeFile, putTitle, storedFile, writeChunk } from './sound-store.ts'

const [rosa, nell] = [crypto.randomUUID(), crypto.randomUUID()]
const file = { chapter: 1, name: 'One', playtime: 60, bytes: 10, sha256: '' }
const title = aStoredTitle({ files: [file] })

test('a user can see the space of other users’ downloads and remove only those', async () => {
  for (const uuid of [rosa, nell]) {
    await putTitle(uuid, title)
    await writeChunk(uuid, { title: title.key, chapter: 1, index: 0, bytes: new ArrayBuffer(10) })
    await completeFile(uuid, title.key, file, 'audio/mpeg')
    await keepPlace(uuid, { slug: 'salt', chapter: 1, seconds: 12 })
  }
  expect(await measureOthersSound(nell)).toBe(10)
  await removeOthersSound(nell)
  expect(await measureOthersSound(nell)).toBe(0)
  expect(await storedFile(nell, title.key, 1)).toBeDefined()
  expect(await resumePlace(rosa, 'salt')).toMatchObject({ seconds: 12 })
})
