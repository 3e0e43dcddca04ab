import { Button } from '#ui/Button.tsx'
import { Refused, somethingWentWrong, useWrite } from '#writes/use-write.ts'
import { payAgain } from './mutations.ts'
import styles from './membership.module.css'

interface PayAgainProps {
  id: string
  words: string
  onPaid: (words: string) => Promise<void>
  /** The bank requires authentication, which this page cannot show. */
  onBankAsks: () => void
}

export function PayAgain({ id, words, onPaid, onBankAsks }: PayAgainProps) {
  const { write, busy, refusal } = useWrite(() => payAgain(id), {
    onSuccess({ outcome }) {
      if (outcome === 'refused') throw new Refused(REFUSED_AGAIN)
      return outcome === 'authenticate' ? onBankAsks() : onPaid(outcome === 'paid' ? PAID : CHECKING)
    },
    message: somethingWentWrong,
  })
  return (
    <>
      <Button look="text" busy={busy} onClick={() => void write()}>
        {words}
      </Button>
      {refusal && (
        <p role="alert" className={styles.problem}>
          {refusal}
        </p>
      )}
    </>
  )
}

const PAID = 'Thank you. Your payment went through.'
const CHECKING = 'Your bank is checking the payment. We’ll write as soon as we know.'
export const REFUSED_AGAIN = 'Your bank declined it again. Use another card, or ask your bank.'
