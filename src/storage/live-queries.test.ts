import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { aStoredTitle } from '#tests/support/stored-title.ts'
import { soon } from '#tests/support/wait-for.ts'
import { type Holding, watchHoldings } from './inventory.ts'
import { changeTitle, putTitle, writeChunk } from './sound-store.ts'
import type { TitleKey } from './title-key.ts'

const SALT = aStoredTitle()
const FILE = { chapter: 1, name: 'One', playtime: 60, bytes: 16, sha256: '' }

test('a watcher of a database that was not open yet receives every change', async () => {
  const owner = crypto.randomUUID()
  let seen: Holding[] = []
  const stop = watchHoldings(owner, (holdings) => (seen = holdings))
  await putTitle(owner, SALT)
  await soon(() => expect(seen).toHaveLength(1))
  await changeTitle(owner, 'audio/salt', { kept: 1 })
  await soon(() => expect(seen[0]?.title.kept).toBe(1))
  stop()
})

test("the cost of one more chunk doesn't depend on the number of titles", async () => {
  const alone = await requestsOfOneChunk(1)
  expect(alone).toBeGreaterThan(0)
  expect(await requestsOfOneChunk(40)).toBe(alone)
})

/** The number of list queries after one of several unfinished downloads gets a chunk. */
async function requestsOfOneChunk(titles: number): Promise<number> {
  const owner = crypto.randomUUID()
  const keys = Array.from({ length: titles }, (_, each): TitleKey => `audio/title-${each}`)
  for (const key of keys) await putTitle(owner, { ...SALT, key, files: [FILE] })
  let seen: Holding[] = []
  const stop = watchHoldings(owner, (holdings) => (seen = holdings))
  await soon(() => expect(seen).toHaveLength(titles))
  const asked = (['getAll', 'getAllKeys', 'openCursor', 'openKeyCursor'] as const).map((way) =>
    vi.spyOn(IDBObjectStore.prototype, way),
  )
  const [title = 'audio/salt'] = keys
  await writeChunk(owner, { title, chapter: 1, index: 0, bytes: new ArrayBuffer(8) })
  await soon(() => expect(seen[0]?.begun.get(1)).toBe(1))
  const requests = asked.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  vi.restoreAllMocks()
  stop()
  return requests
}
