import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { Link, useMatches } from '@tanstack/react-router'
import { useSession } from '#session/store.ts'
import { Icon } from '#ui/Icon.tsx'
import styles from './PaymentFailed.module.css'

/**
 * A membership whose payment failed says so on every page (HDR-12). It floats above the bars, as it is known after the page
 * is drawn and must move nothing; no other banner stands beside it.
 */
export function PaymentFailed() {
  const subscription = useSession(
    (state) => state.user?.subscriptions.find(({ paymentFailed }) => paymentFailed)?.id,
  )
  // The checkout and the player are left alone, and the membership's own page says it at length.
  const quiet = useMatches({
    select: (matches) => {
      const last = matches.at(-1)
      const frame = last?.staticData.frame
      return frame === 'checkout' || frame === 'whole' || last?.routeId === '/subscription-details'
    },
  })
  if (!subscription || quiet) return null
  return (
    <aside className={styles.banner} aria-label="Payment failed" data-urgent>
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
