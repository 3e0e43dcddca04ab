import { placesDb, type Receipt, type WaitingEvent } from './places-db.ts'

/** What is sent within this is the ordinary case and needs no receipt. */
const LATE_MS = 60_000
const KEEP = 20

/** Notes what was saved when: plain proof for the listener that the train did not swallow anything. */
export async function keepReceipt(ownerUuid: string, sent: readonly WaitingEvent[], savedAtMs: number) {
  const heardFromMs = Math.min(...sent.map(({ heardAtMs }) => heardAtMs))
  const late = savedAtMs - heardFromMs > LATE_MS
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.settings, db.receipts, async () => {
      await db.settings.put({ name: 'savedAt', value: savedAtMs })
      if (!late) return
      await db.receipts.add({
        savedAtMs,
        heardFromMs,
        listenedSeconds: sent.reduce((sum, { listenedSeconds }) => sum + listenedSeconds, 0),
        slugs: [...new Set(sent.map(({ slug }) => slug))],
        late: 1,
      })
      const ids = await db.receipts.toCollection().primaryKeys()
      await db.receipts.bulkDelete(ids.slice(0, Math.max(0, ids.length - KEEP)))
    }),
  )
}

export const lastReceipt = (ownerUuid: string): Promise<Receipt | undefined> =>
  placesDb.use(ownerUuid, (db) => db.receipts.orderBy(':id').last())
