import { plural } from '#format/plural.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import styles from './history.module.css'
import { SavedLate } from './SavedLate.tsx'
import { useListeningStore } from './store.ts'

/** Shows that what was heard in the tunnel has arrived, or that it is waiting and nothing is lost. */
export function Receipt({ nowMs }: { nowMs: number }) {
  const { receipt, waiting, stuck } = useListeningStore()
  const ended = useSession((state) => state.status === 'ended')
  const offline = !useOnline()
  if (stuck) {
    return (
      <p className={styles.line}>
        This browser stopped saving. Reload the page when it suits you; your place is held.
      </p>
    )
  }
  // While it plays something always waits, for half a minute at most.
  if (waiting > 0 && (ended || offline)) {
    return (
      <p className={styles.line}>
        {plural(waiting, 'place')} on this device, saved{' '}
        {ended ? 'once you log in again.' : 'as soon as there is a connection.'}
      </p>
    )
  }
  return receipt ? <SavedLate receipt={receipt} nowMs={nowMs} /> : null
}
