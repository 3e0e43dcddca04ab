import type { Stripe } from '@stripe/stripe-js'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { planInWords } from '#contract/plans.ts'
import { outcomeOf } from '#features/checkout/queries.ts'
import { confirmStored } from '#features/checkout/stripe.ts'
import { forgetPayment, rememberPayment } from '#features/checkout/store.ts'
import { cardPurchase } from '#features/checkout/purchases.ts'
import type { MembershipPaid } from '#features/checkout/purchase.ts'
import { methodInWords } from '#features/membership/model.ts'
import { payAgain } from '#features/membership/mutations.ts'
import { REFUSED_AGAIN } from '#features/membership/PayAgain.tsx'
import { ownMembershipQuery } from '#features/membership/queries.ts'
import { ownKey } from '#features/query-keys.ts'
import { plans } from '#features/shop-details/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Refused, somethingWentWrong, useWrite } from '#writes/use-write.ts'
import { MembersOnly } from '../-account/MembersOnly.tsx'
import styles from './checkout.module.css'
import { MembershipCheckout } from './MembershipCheckout.tsx'

/**
 * A new card for a membership (PAY-24). The banner of a failed payment leads here; the URL survives a reload.
 */
export const NewCardCheckout = (props: NewCardCheckoutProps) => (
  <MembersOnly>
    <NewCard {...props} />
  </MembersOnly>
)

interface NewCardCheckoutProps {
  subscription: string
  /** The bank requires authentication for the open payment. */
  confirm: boolean
}

function NewCard({ subscription, confirm }: NewCardCheckoutProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const query = useQuery({ ...ownMembershipQuery(owner), enabled: owner !== '' })
  const current = query.data?.details?.subscription
  const settled = async () => {
    await reloadUser().catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey: ownKey(owner) })
  }
  const purchase = query.isPending
    ? undefined
    : cardPurchase(
        subscription,
        current?.plan ?? 4,
        settled,
        query.data?.details?.failedPayment?.amount ?? null,
      )
  const confirmed = async () => {
    await settled()
    const open = query.data?.details?.failedPayment?.amount
    await navigate({
      to: '/subscription-details',
      state: { done: open ? `${amount(toMinor(open))} paid. You’re back.` : 'Your payment went through.' },
    })
  }
  return (
    <MembershipCheckout
      name="Your new card"
      purchase={purchase}
      notice={(stripe) =>
        confirm &&
        query.data?.details?.failedPayment &&
        purchase?.membership && (
          <ConfirmWithBank
            subscription={subscription}
            stripe={stripe}
            membership={purchase.membership}
            onPaid={confirmed}
          />
        )
      }
      summary={
        <aside className={styles.current} aria-label="Your membership">
          <div className={styles.plan}>
            <div>
              <b>{current ? planInWords(plans()[current.plan]) : 'Your membership'}</b>
              {current && <p className="quiet">Paid with {lowered(methodInWords(current))} until now.</p>}
            </div>
          </div>
        </aside>
      }
    />
  )
}

const lowered = (words: string) => (words === 'PayPal' ? words : words.replace('Card', 'the card'))

interface ConfirmWithBankProps {
  subscription: string
  stripe: Stripe | null
  /** Stored with the payment, in case the page reloads during the bank's check. */
  membership: MembershipPaid
  onPaid: () => Promise<unknown>
}

/**
 * A renewal that needs authentication at the bank: one press with the stored card, or another card in the
 * form below.
 */
function ConfirmWithBank({ subscription, stripe, membership, onPaid }: ConfirmWithBankProps) {
  const confirm = async () => {
    const { outcome, clientSecret } = await payAgain(subscription)
    if (outcome === 'refused') throw new Refused(REFUSED_AGAIN)
    if (outcome !== 'authenticate' || !clientSecret) return
    rememberPayment({ order: subscription, secret: clientSecret, newUser: false, membership })
    const confirmed = await confirmStored(stripe, clientSecret)
    const known = await outcomeOf(clientSecret).catch(() => undefined)
    forgetPayment()
    const isPaid = known ? known === 'paid' || known === 'checking' : confirmed === 'done'
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
