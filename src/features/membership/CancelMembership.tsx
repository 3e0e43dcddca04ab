import { ArrowUUpLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowUUpLeft'
import { CalendarBlankIcon } from '@phosphor-icons/react/dist/csr/CalendarBlank'
import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import type { SubscriptionDetails } from '#contract/membership.ts'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './leaving.module.css'
import { stateOf } from './model.ts'
import { cancelMembership } from './mutations.ts'
import { SecondPress } from './SecondPress.tsx'

interface CancelMembershipProps {
  details: SubscriptionDetails
  onClose: () => void
  onCancelled: () => Promise<void>
}

/** The second of two presses: what stays and until when; no reason asked, no offer made. */
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
              ` The ${amount(toMinor(nextPayment.amount))} of ${dayAndMonth(nextPayment.at)} won’t be taken.`}
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
