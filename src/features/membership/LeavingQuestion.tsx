import { useState } from 'react'
import type { LeavingReason } from '#contract/membership-changes.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { somethingWentWrong, useWrite } from '#writes/use-write.ts'
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
  const [isAnswered, setAnswered] = useState(false)
  const { write, busy, refusal } = useWrite((reason: LeavingReason) => sayWhyLeaving(id, reason), {
    onSuccess() {
      setAnswered(true)
      announce(THANKS)
    },
    message: somethingWentWrong,
  })
  if (isAnswered) return <p>{THANKS}</p>
  return (
    <fieldset className={styles.question}>
      <legend>Would you mind telling us why? (optional)</legend>
      <div className={styles.answers}>
        {KINDS.map((kind) => (
          <Button key={kind} look="quiet" disabled={busy} onClick={() => void write(kind)}>
            {REASONS[kind]}
          </Button>
        ))}
      </div>
      {refusal && <p role="alert">{refusal}</p>}
    </fieldset>
  )
}
