import type { Stripe } from '@stripe/stripe-js'
import { useState } from 'react'
import { MESSAGES } from '#contract/messages.ts'
import { askMembershipPayment } from '#features/checkout/calls.ts'
import { confirmStored } from '#features/checkout/confirm.ts'
import { forgetPayment, rememberPayment } from '#features/checkout/pending.ts'
import type { MembershipPaid } from '#features/checkout/purchase.ts'
import { payAgain } from '#features/membership/mutations.ts'
import { REFUSED_AGAIN } from '#features/membership/PayAgain.tsx'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './checkout.module.css'

interface ConfirmWithBankProps {
  subscription: string
  stripe: Stripe | null
  /** For a page that is loaded again while the bank asks. */
  membership: MembershipPaid
  onPaid: () => Promise<unknown>
}

/** A renewal that waits for its customer at the bank: one press with the card that is kept, or another card below. */
export function ConfirmWithBank({ subscription, stripe, membership, onPaid }: ConfirmWithBankProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const ask = async (): Promise<string | undefined> => {
    const { outcome, clientSecret } = await payAgain(subscription)
    if (outcome === 'refused') return REFUSED_AGAIN
    if (outcome === 'authenticate' && clientSecret) {
      rememberPayment({ order: subscription, secret: clientSecret, newUser: false, membership })
      const said = await confirmStored(stripe, clientSecret)
      const known = await askMembershipPayment(clientSecret).catch(() => undefined)
      forgetPayment()
      const isPaid = known ? known.outcome === 'paid' || known.outcome === 'checking' : said === 'done'
      if (!isPaid) return 'Your bank couldn’t confirm that it was you. Try again, or use another card.'
    }
    await onPaid()
    return undefined
  }
  const press = async () => {
    setBusy(true)
    setProblem('')
    setProblem((await ask().catch(() => MESSAGES.somethingWentWrong)) ?? '')
    setBusy(false)
  }
  return (
    <section className={styles.bank} aria-labelledby="bank">
      <Display as="h2" size="sm" id="bank">
        Your bank wants to be sure it’s you
      </Display>
      <p>One press with the card you have, and your membership is paid. Or use another card below.</p>
      <Button
        look="solid"
        busy={busy}
        disabledReason={stripe ? undefined : 'Our card provider isn’t ready yet.'}
        onClick={() => void press()}
      >
        Confirm the payment
      </Button>
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </section>
  )
}
