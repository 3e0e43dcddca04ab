import { useSyncExternalStore } from 'react'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import { giveConsent, onConsent, readConsent, type Consent } from './consent.ts'
import styles from './ConsentLine.module.css'

/** Asks once, at the page's end and without standing in anybody's way; afterwards it is a setting. */
export function ConsentLine() {
  // The server does not know this device's answer: its markup keeps the room.
  const consent = useSyncExternalStore<Consent | 'unknown' | undefined>(
    onConsent,
    readConsent,
    () => 'unknown',
  )
  const answer = (given: Consent) => {
    giveConsent(given)
    announce(given === 'on' ? 'Counting is on. Thank you.' : 'Counting is off.')
  }
  return (
    <section className={styles.line} aria-label="Counting what people look at">
      {consent === undefined && (
        <>
          <p>
            May we count which books people look at? It helps us choose what to stock. No names, no one else,
            and nothing until you say yes.
          </p>
          <div className={styles.answers}>
            <Button look="quiet" onClick={() => answer('on')}>
              Yes, count
            </Button>
            <Button look="quiet" onClick={() => answer('off')}>
              No, thank you
            </Button>
          </div>
        </>
      )}
      {(consent === 'on' || consent === 'off') && (
        <Switch
          className={styles.setting}
          label="Count which books people look at"
          checked={consent === 'on'}
          onChange={(event) => answer(event.target.checked ? 'on' : 'off')}
        />
      )}
    </section>
  )
}
