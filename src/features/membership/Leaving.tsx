import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { LeavingReason } from '#contract/membership-changes.ts'
import type { SubscriptionDetails } from '#contract/membership.ts'
import { planInWords } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { somethingWentWrong, useWrite } from '#writes/use-write.ts'
import styles from './membership.module.css'
import { stateOf } from './model.ts'
import { cancelMembership, sayWhyLeaving, withdraw } from './mutations.ts'
import { SecondPress } from './MembershipState.tsx'

interface CancelMembershipProps {
  details: SubscriptionDetails
  onClose: () => void
  onCancelled: () => Promise<void>
}

/** Confirms a cancellation: says what remains and until when; asks for no reason and makes no offer. */
export function CancelMembership({ details, onClose, onCancelled }: CancelMembershipProps) {
  const { subscription, nextPayment, credits } = details
  const until = subscription.validUntil ?? subscription.periodEnd
  const day = until && dayAndMonth(until)
  const trial = stateOf(details) === 'trial'
  const waiting = credits.left === 1 ? 'one free audiobook' : `${credits.left} free audiobooks`
  const chooseBy = credits.until && dayAndMonth(lastDay(credits.until))
  return (
    <SecondPress
      title={`Cancel ${trial ? 'your trial' : 'membership'}? Your library stays yours.`}
      press={trial ? 'Cancel trial' : 'Cancel membership'}
      keep="Keep it"
      act={() => cancelMembership(subscription.id)}
      onClose={onClose}
      onDone={onCancelled}
    >
      <ul role="list" className={styles.what}>
        <li>
          <Icon of={CreditCardIcon} />
          <span>
            Nothing more is charged.
            {nextPayment &&
              ` We won’t take the ${amount(toMinor(nextPayment.amount))} due on ${dayAndMonth(nextPayment.at)}.`}
          </span>
        </li>
        {day && (
          <li>
            <Icon of={CalendarBlankIcon} />
            <span>
              You’re a member until {day}
              {credits.left > 0 && chooseBy
                ? `, with ${waiting} to choose ${chooseBy === day ? 'before then' : `by ${chooseBy}`}.`
                : '.'}
            </span>
          </li>
        )}
        <li>
          <Icon of={ArrowUUpLeftIcon} />
          <span>Until then you can resume with one press, at no cost.</span>
        </li>
      </ul>
    </SecondPress>
  )
}

interface WithdrawProps {
  details: SubscriptionDetails
  onClose: () => void
  onWithdrawn: () => Promise<void>
  onOutdated: () => Promise<unknown>
}

/**
 * The right of withdrawal in the first 14 days: the membership ends at once, and the payer gets the rest
 * back.
 */
export function Withdraw({ details, onClose, onWithdrawn, onOutdated }: WithdrawProps) {
  const { subscription, withdrawal } = details
  const user = useSession((state) => state.user)
  if (!withdrawal) return null
  return (
    <SecondPress
      title={
        subscription.gift
          ? 'Hand this gift back?'
          : `Cancel and get ${amount(toMinor(withdrawal.amount))} back?`
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
        Your membership ends straight away, and a free audiobook you haven’t chosen goes with it. What’s in
        your library stays yours.{' '}
        {subscription.gift
          ? 'The refund goes to whoever gave it to you.'
          : 'The money goes back to where it came from within a few days.'}
      </p>
    </SecondPress>
  )
}

interface WithdrawalOfferProps {
  isGift: boolean
  withdrawal: NonNullable<SubscriptionDetails['withdrawal']>
  onWithdraw: () => void
}

/**
 * The deadline and the refund, or the reason for no refund. During a dispute the page explains it instead.
 */
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
        There’s nothing to refund: you’ve chosen this month’s free audiobooks, and they’re yours to keep.
        {!isGift && ' You can still cancel.'}
      </p>
    )
  return (
    <>
      <p>
        {/* The recipient of a gift membership must not see its price. */}
        Until {dayAndMonth(lastDay(withdrawal.until))} you can{' '}
        {isGift
          ? 'hand it back, and we’ll refund whoever gave it.'
          : `cancel and get ${amount(toMinor(withdrawal.amount))} back.`}{' '}
        Any title you’ve chosen stays yours.
      </p>
      <div>
        <Button look="text" onClick={onWithdraw}>
          {isGift ? 'Hand it back' : 'Withdraw from contract here'}
        </Button>
      </div>
    </>
  )
}

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

/** Asked once, after the cancellation, and optional. */
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
