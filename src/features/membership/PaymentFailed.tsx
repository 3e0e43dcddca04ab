import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { useLayoutEffect, useRef } from 'react'
import { dayAndMonth } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { useOnline } from '#net/use-online.ts'
import { LinkButton } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useNow } from '#ui/use-now.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { type FailedPayment, storeFailedPayment } from './failed-payment.ts'
import styles from './PaymentFailed.module.css'

/** The line above the header about a failed membership payment (HDR-12). */
export function PaymentFailed({ failed }: { failed: FailedPayment }) {
  const line = useRef<HTMLElement>(null)
  const online = useOnline()
  const now = useNow()
  useLayoutEffect(() => {
    const store = () => storeFailedPayment(failed, line.current!.getBoundingClientRect().height)
    store()
    window.addEventListener('resize', store)
    return () => window.removeEventListener('resize', store)
  }, [failed, online])

  const { id, benefitsUntil } = failed
  const what = failed.amount
    ? `Your bank declined ${amount(toMinor(failed.amount))}.`
    : 'Your bank declined your last payment.'
  const stays = benefitsUntil !== undefined && Date.parse(benefitsUntil) > now
  return (
    <aside ref={line} className={styles.line} aria-label="Payment failed" data-urgent>
      <Wrap className={styles.row}>
        <Icon of={WarningIcon} />
        <p>
          <b>{what}</b> Your books are safe
          {stays
            ? `, and member prices stay until ${dayAndMonth(benefitsUntil)}.`
            : '. Member prices wait until it’s paid.'}
        </p>
        {online ? (
          <LinkButton to="/payment" search={{ 'update-card': 1, subscription: id }}>
            Use a new card
          </LinkButton>
        ) : (
          <p className={styles.later}>You can pay when you’re back online.</p>
        )}
      </Wrap>
    </aside>
  )
}
