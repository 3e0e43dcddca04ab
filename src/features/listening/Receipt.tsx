import { plural } from '#format/plural.ts'
import { useSession } from '#session/store.ts'
import { receiptWords } from './model.ts'
import styles from './Receipt.module.css'
import { useListeningStore } from './store.ts'
import { when } from './when.ts'

/** Shows that what was heard in the tunnel has arrived, or that it is waiting and nothing is lost. */
export function Receipt({ nowMs }: { nowMs: number }) {
  const { receipt, waiting, stuck } = useListeningStore()
  const ended = useSession((state) => state.status === 'ended')
  if (stuck) {
    return (
      <p className={styles.line}>
        This browser stopped saving. Reload the page when it suits you; your place is held.
      </p>
    )
  }
  if (waiting > 0) {
    return (
      <p className={styles.line}>
        {plural(waiting, 'place')} on this device, saved{' '}
        {ended ? 'once you log in again.' : 'as soon as there is a connection.'}
      </p>
    )
  }
  const words =
    receipt &&
    receiptWords(
      receipt.listenedSeconds,
      when(new Date(receipt.heardFromMs).toISOString(), nowMs),
      when(new Date(receipt.savedAtMs).toISOString(), nowMs),
    )
  return words ? <p className={styles.line}>{words}</p> : null
}
