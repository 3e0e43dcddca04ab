import type { SubscriptionDetails } from '#contract/membership.ts'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Button } from '#ui/Button.tsx'

interface WithdrawalOfferProps {
  isGift: boolean
  withdrawal: NonNullable<SubscriptionDetails['withdrawal']>
  onWithdraw: () => void
}

/** Until when, and what comes back; or why nobody can withdraw now. */
export function WithdrawalOffer({ isGift, withdrawal, onWithdraw }: WithdrawalOfferProps) {
  if (withdrawal.disputed)
    return (
      <p>
        Your bank is still looking into this payment. Until it has decided, you can’t{' '}
        {isGift ? 'hand it back' : 'withdraw'} here.
      </p>
    )
  if (withdrawal.amount === 0)
    return (
      <p>
        Nothing is left to pay back: you’ve chosen what this month brings, and it’s yours.
        {!isGift && ' You can still cancel.'}
      </p>
    )
  return (
    <>
      <p>
        {/* The price of a present is between its giver and us. */}
        Until {dayAndMonth(lastDay(withdrawal.until))} you can{' '}
        {isGift
          ? 'hand it back, and we’ll refund whoever gave it.'
          : `withdraw and get ${amount(toMinor(withdrawal.amount))} back.`}{' '}
        Any title that you chose stays yours.
      </p>
      <div>
        <Button look="text" onClick={onWithdraw}>
          {isGift ? 'Hand it back' : 'Withdraw'}
        </Button>
      </div>
    </>
  )
}
