import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { Link, useMatches } from '@tanstack/react-router'
import { useSession } from '#session/store.ts'
import { cx } from '#ui/cx.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './PaymentFailed.module.css'

/**
 * The banner on every page about a failed membership payment (HDR-12). It floats above the bars: it appears
 * only after the first paint, and must not shift the page. No other banner is shown with it.
 */
export function PaymentFailed() {
  /**
   * Not on the checkout and the player. The plans page has the banner in its layout, and the membership's own
   * page shows more.
   */
  const isQuiet = useMatches({
    select: (matches) => {
      const last = matches.at(-1)
      const frame = last?.staticData.frame
      return (
        frame === 'checkout' ||
        frame === 'whole' ||
        last?.routeId === '/subscription/{-$token}' ||
        last?.routeId === '/subscription-details'
      )
    },
  })
  return isQuiet ? null : <PaymentFailedNotice className={styles.floating} />
}

export function PaymentFailedNotice({ className }: { className?: string | undefined }) {
  const subscription = useSession(
    (state) => state.user?.subscriptions?.find(({ paymentFailed }) => paymentFailed)?.id,
  )
  if (!subscription) return null
  return (
    <aside className={cx(styles.banner, className)} aria-label="Payment failed" data-urgent>
      <Icon of={WarningCircleIcon} />
      <p>
        Your membership payment didn’t go through.{' '}
        <Link to="/payment" search={{ 'update-card': 1, subscription }} className={styles.link}>
          Update payment details
        </Link>
      </p>
    </aside>
  )
}
