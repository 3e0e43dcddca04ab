import { bytes } from '#format/bytes.ts'
import { ProgressLine } from '#ui/ProgressLine.tsx'
import styles from './downloads.module.css'
import type { StorageFacts } from './storage.ts'

/** The space of the downloads and the browser's guess of what is left, said as the guess it is. */
export function SpaceLine({ storage, heldBytes }: { storage: StorageFacts | undefined; heldBytes: number }) {
  if (!storage)
    return (
      <p className={styles.note}>
        {bytes(heldBytes)} of downloads. This browser doesn’t say how much space is left.
      </p>
    )
  const { usedBytes, freeBytes, lasting } = storage
  return (
    <div className="stack gap-2">
      <ProgressLine
        share={usedBytes / Math.max(1, usedBytes + freeBytes)}
        label="Space used"
        valueText={`${bytes(heldBytes)} of downloads, about ${bytes(freeBytes)} free`}
      />
      <p className={styles.note}>
        {bytes(heldBytes)} of downloads. About {bytes(freeBytes)} free, by the browser’s own estimate.{' '}
        {lasting
          ? 'Your browser has agreed to keep them.'
          : 'Your browser may clear them if this device runs low on space. Installing the app makes that less likely.'}
      </p>
    </div>
  )
}
