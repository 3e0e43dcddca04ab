import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import type { Holding } from './inventory.ts'
import { watchHoldings } from './inventory.ts'
import { changeTitle, putTitle } from './sound-store.ts'

test('whoever watches a database that was not open yet hears of every change', async () => {
  const owner = crypto.randomUUID()
  let seen: Holding[] = []
  const stop = watchHoldings(owner, (holdings) => (seen = holdings))
  await putTitle(owner, {
    key: 'audio/salt',
    title: 'The Salt Ledger',
    authors: [],
    narrators: [],
    cover: null,
    coverType: '',
    colours: [null, null, null],
    files: [],
    kept: 0,
    wanted: 0,
    failure: null,
    lost: 0,
    addedAtMs: 1,
    finishedAtMs: null,
  })
  await vi.waitFor(() => expect(seen).toHaveLength(1))
  await changeTitle(owner, 'audio/salt', { kept: 1 })
  await vi.waitFor(() => expect(seen[0]?.title.kept).toBe(1))
  stop()
})
