import { placesDb, type Receipt, type WaitingEvent } from '#storage/places-db.ts'

/** Older than this was held somewhere, even if nobody noticed: a closed tab, a sleeping machine. */
const LATE_MS = 60_000
const KEEP = 20

/** Notes what was saved when: proof for the listener that nothing was lost on the train. */
export async function storeReceipt(ownerUuid: string, sent: readonly WaitingEvent[], savedAtMs: number) {
  // An event says when its sound ended; several may have folded into it.
  const heardFromMs = Math.min(
    ...sent.map(({ heardAtMs, listenedSeconds }) => heardAtMs - listenedSeconds * 1000),
  )
  const oldestMs = Math.min(...sent.map(({ heardAtMs }) => heardAtMs))
  const late = savedAtMs - oldestMs > LATE_MS || sent.some(({ held }) => held === 1)
  if (!late) return
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.receipts, async () => {
      await db.receipts.add({
        savedAtMs,
        heardFromMs,
        listenedSeconds: sent.reduce((sum, { listenedSeconds }) => sum + listenedSeconds, 0),
        slugs: [...new Set(sent.map(({ slug }) => slug))],
      })
      const ids = await db.receipts.toCollection().primaryKeys()
      await db.receipts.bulkDelete(ids.slice(0, Math.max(0, ids.length - KEEP)))
    }),
  )
}

export const lastReceipt = (ownerUuid: string): Promise<Receipt | undefined> =>
  placesDb.use(ownerUuid, (db) => db.receipts.orderBy(':id').last())
