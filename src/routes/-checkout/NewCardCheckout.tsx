import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ownKey } from '#features/query-keys.ts'
import { planInWords } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { methodInWords } from '#features/membership/method.ts'
import { ownMembershipQuery } from '#features/membership/queries.ts'
import { amount, toMinor } from '#format/money.ts'
import { reloadUser } from '#session/changes.ts'
import { useSession } from '#session/store.ts'
import { MembersOnly } from '../-account/MembersOnly.tsx'
import { ConfirmWithBank } from './ConfirmWithBank.tsx'
import { MembershipCheckout } from './MembershipCheckout.tsx'
import { cardPurchase } from '#features/checkout/plan-purchase.ts'
import styles from './summary.module.css'

/** A new card of a membership (PAY-24): the failed payment's banner leads here, and a reload stays here. */
export const NewCardCheckout = (props: NewCardCheckoutProps) => (
  <MembersOnly>
    <NewCard {...props} />
  </MembersOnly>
)

interface NewCardCheckoutProps {
  subscription: string
  /** The bank asks for its customer. */
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
