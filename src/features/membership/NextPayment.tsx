import type { SubscriptionDetails } from '#contract/membership.ts'
import { longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { stateOf } from './model.ts'
import styles from './state.module.css'
import { methodInWords } from './method.ts'

/** The next charge and its method, in the band; nothing where nothing is charged. */
export function NextPayment({ details }: { details: SubscriptionDetails }) {
  const { subscription, nextPayment } = details
  const { payment, canceledAt, validUntil } = subscription
  const state = stateOf(details)
  return (
    <dl className={styles.facts}>
      {nextPayment && state !== 'cancelled' ? (
        <div>
          <dt>Next payment</dt>
          <dd>
            {amount(toMinor(nextPayment.amount))}
            <span>{longDate(nextPayment.at)}</span>
          </dd>
        </div>
      ) : (
        validUntil &&
        state !== 'failed' && (
          <div>
            <dt>{canceledAt ? 'Expires' : 'Ends'}</dt>
            <dd>{longDate(validUntil)}</dd>
          </div>
        )
      )}
      {payment && canceledAt === null && (
        <div>
          <dt>Paid with</dt>
          <dd>{methodInWords(subscription)}</dd>
        </div>
      )}
    </dl>
  )
}
