import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Switch } from '#ui/Checkbox.tsx'
import { giveConsent, useConsent, type Consent } from './consent.ts'
import styles from './ConsentLine.module.css'

/** Asks once, at the end of the page; afterwards it is a setting. */
export function ConsentLine() {
  const consent = useConsent((state) => state.consent)
  const answer = (given: Consent) => {
    giveConsent(given)
    announce(given === 'on' ? 'Counting is on. Thank you.' : 'Counting is off.')
  }
  return (
    <section className={styles.line} aria-label="Counting what people look at">
      {consent === undefined && (
        <>
          <p>
            May we count which books people look at? It helps us choose what to stock. No names, nothing
            shared, and nothing until you say yes.
          </p>
          <div className={styles.answers}>
            <Button look="quiet" onClick={() => answer('on')}>
              That’s fine
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
