import { useState } from 'react'
import type { LeavingReason } from '#contract/membership-changes.ts'
import { MESSAGES } from '#contract/messages.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import styles from './leaving.module.css'
import { sayWhyLeaving } from './mutations.ts'

const REASONS: Readonly<Record<LeavingReason, string>> = {
  price: 'It costs too much',
  time: 'No time to listen',
  titles: 'Not enough I want to hear',
  app: 'Trouble with the app',
  other: 'Something else',
}
const THANKS = 'Thank you. That helps us.'
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own keys
const KINDS = Object.keys(REASONS) as LeavingReason[]

/** Asked once, after it is done, and in nobody's way. */
export function LeavingQuestion({ id }: { id: string }) {
  const [state, setState] = useState<'asked' | 'sending' | 'failed' | 'thanked'>('asked')
  const say = async (reason: LeavingReason) => {
    setState('sending')
    await sayWhyLeaving(id, reason).then(
      () => {
        setState('thanked')
        announce(THANKS)
      },
      () => setState('failed'),
    )
  }
  if (state === 'thanked') return <p>{THANKS}</p>
  return (
    <fieldset className={styles.question}>
      <legend>Would you mind telling us why? (optional)</legend>
      <div className={styles.answers}>
        {KINDS.map((kind) => (
          <Button key={kind} look="quiet" disabled={state === 'sending'} onClick={() => void say(kind)}>
            {REASONS[kind]}
          </Button>
        ))}
      </div>
      {state === 'failed' && <p role="alert">{MESSAGES.somethingWentWrong}</p>}
    </fieldset>
  )
}
