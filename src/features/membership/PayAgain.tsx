import { useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { Button } from '#ui/Button.tsx'
import { payAgain } from './mutations.ts'
import styles from './leaving.module.css'

interface PayAgainProps {
  id: string
  words: string
  /** It was paid, or the bank is still looking at it. */
  onPaid: (words: string) => Promise<void>
  /** The bank wants its customer, which this page cannot show. */
  onBankAsks: () => void
}

/** The card that failed, tried once more with one press. */
export function PayAgain({ id, words, onPaid, onBankAsks }: PayAgainProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const pay = async () => {
    setBusy(true)
    setProblem('')
    try {
      const { outcome } = await payAgain(id)
      if (outcome === 'authenticate') onBankAsks()
      else if (outcome === 'refused') setProblem(REFUSED_AGAIN)
      else await onPaid(outcome === 'paid' ? PAID : CHECKING)
    } catch {
      setProblem(MESSAGES.somethingWentWrong)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button look="text" busy={busy} onClick={() => void pay()}>
        {words}
      </Button>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </>
  )
}

const PAID = 'Thank you. Your payment went through.'
const CHECKING = 'Your bank is checking the payment. We’ll write as soon as we know.'
export const REFUSED_AGAIN = 'Your bank said no again. Use another card, or ask your bank.'
