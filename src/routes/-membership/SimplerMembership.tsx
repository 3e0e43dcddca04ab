import { Link } from '@tanstack/react-router'
import { isJoined } from '#contract/plans.ts'
import { benefits, simplerChoice } from '#features/membership/model.ts'
import { PaymentFailedNotice } from '#features/membership/PaymentFailed.tsx'
import { price } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { plans } from '#features/shop-details/plans.ts'
import { has, shop } from '#features/shop-details/shop.ts'
import styles from './plans.module.css'

/** A short version for when the owner's page is not available: no connection, or no content (OP-34). */
export function SimplerMembership() {
  return (
    <Wrap as="section" className={styles.page}>
      <PageHead title="Subscribe" description={benefits()[0] ?? null} canonical="/subscription" />
      <Display as="h1" size="lg">
        Subscribe
      </Display>
      <PaymentFailedNotice />
      <ul className={styles.benefits}>
        {benefits().map((benefit) => (
          <li key={benefit}>{benefit}</li>
        ))}
      </ul>
      <div className="row gap-4">
        {shop().plans &&
          Object.values(plans())
            .filter(isJoined)
            .map(({ id, type, priceMinor, yearly }) => (
              <LinkButton key={id} to="/payment" search={{ plan: id }} look="quiet">
                {`${type}: ${price(priceMinor)} a ${yearly ? 'year' : 'month'}`}
              </LinkButton>
            ))}
        {!shop().plans &&
          (['month', 'year'] as const).map((unit) => {
            const plan = simplerChoice(unit)
            return (
              plan && (
                <LinkButton key={unit} to="/payment" state={{ subscription: unit }} look="quiet">
                  {`${price(plans()[plan].priceMinor)} a ${unit}`}
                </LinkButton>
              )
            )
          })}
      </div>
      <p className={styles.more}>
        <Link to="/info/$slug" params={{ slug: 'support' }}>
          Support
        </Link>
        {has('journal') && <Link to="/murmurations">{shop().journal}</Link>}
      </p>
    </Wrap>
  )
}
