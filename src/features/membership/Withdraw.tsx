import type { SubscriptionDetails } from '#contract/membership.ts'
import { planInWords } from '#contract/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { plans } from '../shop-details/plans.ts'
import { withdraw } from './mutations.ts'
import { SecondPress } from './SecondPress.tsx'

interface WithdrawProps {
  details: SubscriptionDetails
  onClose: () => void
  onWithdrawn: () => Promise<void>
  /** The sum that comes back has changed meanwhile. */
  onOutdated: () => Promise<unknown>
}

/** The right of the first 14 days: it ends at once, and what is left is paid back to who paid it. */
export function Withdraw({ details, onClose, onWithdrawn, onOutdated }: WithdrawProps) {
  const { subscription, withdrawal } = details
  const user = useSession((state) => state.user)
  if (!withdrawal) return null
  return (
    <SecondPress
      title={
        subscription.gift
          ? 'Hand this gift back?'
          : `Withdraw and get ${amount(toMinor(withdrawal.amount))} back?`
      }
      press={subscription.gift ? 'Hand it back' : 'Confirm withdrawal'}
      keep="Keep it"
      act={() => withdraw(subscription.id, withdrawal.amount)}
      onClose={onClose}
      onOutdated={onOutdated}
      onDone={onWithdrawn}
    >
      {!subscription.gift && user && (
        <p>
          {user.fullName} withdraws from the contract for {planInWords(plans()[subscription.plan])}. We’ll
          send the confirmation to {user.email}.
        </p>
      )}
      <p>
        Your membership ends at once, and a free audiobook that you haven’t chosen goes with it. What is in
        your library stays yours.{' '}
        {subscription.gift
          ? 'The refund goes to whoever gave it to you.'
          : 'The money goes back to where it came from within a few days.'}
      </p>
    </SecondPress>
  )
}
