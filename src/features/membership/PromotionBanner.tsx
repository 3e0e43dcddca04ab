import { memberDiscount } from '#features/shop-details/plans.ts'
import { has, isOpen, trialOffer } from '#features/shop-details/shop.ts'
import { useOwesPayment, useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import styles from './membership.module.css'

/**
 * Member benefits, shown to visitors and users without a membership (MEMB-24 to MEMB-26). Last on its page,
 * so that it shifts nothing.
 */
export function PromotionBanner() {
  const signedIn = useSession((state) => state.status === 'user')
  const member = useSession((state) => state.user?.currentSubscription != null)
  // A user who owes a payment has a membership to pay for, and can't start a trial.
  const owes = useOwesPayment()
  if (member || owes || !has('membership')) return null
  const offersTrial = isOpen('/free-trial')
  return (
    <section className={styles.banner} aria-labelledby="promotion">
      <Display as="h2" size="md" id="promotion">
        One of these could be yours this month
      </Display>
      <p>
        Members choose free audiobooks from the highlights
        {memberDiscount() > 0 && `, and pay up to ${memberDiscount()}% less for the rest`}.
      </p>
      <div className={styles.ways}>
        {signedIn ? (
          <>
            {offersTrial && (
              <LinkButton to="/free-trial" look="solid">
                {trialOffer()}
              </LinkButton>
            )}
            <LinkButton to="/subscription/{-$token}" look={offersTrial ? 'text' : 'solid'}>
              {has('membershipGifts') ? 'See Membership plans & gifts' : 'See Membership plans'}
            </LinkButton>
          </>
        ) : (
          <>
            <LinkButton to="/sign-up" look="solid">
              Discover membership
            </LinkButton>
            {offersTrial && (
              <LinkButton to="/free-trial" look="text">
                {trialOffer()}
              </LinkButton>
            )}
          </>
        )}
      </div>
    </section>
  )
}
