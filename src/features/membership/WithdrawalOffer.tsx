import type { SubscriptionDetails } from '#contract/membership.ts'
import { Link } from '@tanstack/react-router'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Button } from '#ui/Button.tsx'

interface WithdrawalOfferProps {
  isGift: boolean
  withdrawal: NonNullable<SubscriptionDetails['withdrawal']>
  onWithdraw: () => void
}

/** The deadline and the refund, or the reason for no refund. During a dispute the page explains it instead. */
export function WithdrawalOffer({ isGift, withdrawal, onWithdraw }: WithdrawalOfferProps) {
  if (withdrawal.amount === 0 && withdrawal.blocked)
    return (
      <p>
        Our payment provider can’t send this payment back after your bank’s decision. Please{' '}
        <Link to="/info/$slug" params={{ slug: 'support' }} className="text-link">
          write to us
        </Link>
        , and we’ll find another way.
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
          {isGift ? 'Hand it back' : 'Withdraw from contract here'}
        </Button>
      </div>
    </>
  )
}
