import type { Stripe } from '@stripe/stripe-js'
import { askMembershipPayment } from '#features/checkout/calls.ts'
import { confirmStored } from '#features/checkout/confirm.ts'
import { forgetPayment, rememberPayment } from '#features/checkout/pending.ts'
import type { MembershipPaid } from '#features/checkout/purchase.ts'
import { payAgain } from '#features/membership/mutations.ts'
import { REFUSED_AGAIN } from '#features/membership/PayAgain.tsx'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Refused, somethingWentWrong, useWrite } from '#writes/use-write.ts'
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
  const confirm = async () => {
    const { outcome, clientSecret } = await payAgain(subscription)
    if (outcome === 'refused') throw new Refused(REFUSED_AGAIN)
    if (outcome !== 'authenticate' || !clientSecret) return
    rememberPayment({ order: subscription, secret: clientSecret, newUser: false, membership })
    const confirmed = await confirmStored(stripe, clientSecret)
    const known = await askMembershipPayment(clientSecret).catch(() => undefined)
    forgetPayment()
    const isPaid = known ? known.outcome === 'paid' || known.outcome === 'checking' : confirmed === 'done'
    if (!isPaid)
      throw new Refused('Your bank couldn’t confirm that it was you. Try again, or use another card.')
  }
  const { write, busy, refusal } = useWrite(confirm, { onSuccess: onPaid, message: somethingWentWrong })
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
        onClick={() => void write()}
      >
        Confirm the payment
      </Button>
      {refusal && (
        <p role="alert" className={styles.problem}>
          {refusal}
        </p>
      )}
    </section>
  )
}
