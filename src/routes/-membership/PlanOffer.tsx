import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Plan, PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import type { User } from '#contract/account.ts'
import { offerOf } from '#features/membership/model.ts'
import { currentSession } from '#session/store.ts'
import { reloadUser } from '#session/session.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { toast } from '#ui/toast.ts'
import styles from './membership.module.css'

interface PlanOfferProps {
  plan: Plan
  current: NonNullable<User['currentSubscription']> | undefined
  /** The shop has no payment keys yet: only a code can cover the price. */
  closed?: boolean
  /** The member has a failed payment that is still due, and can't join a plan before paying it (ERR-02). */
  owes?: boolean
}

const loadChange = () => import('#features/membership/ChangePlan.tsx')
const ChangePlan = lazyPart(loadChange, 'ChangePlan')

/** A plan's button for the current user (MEMB-14 to MEMB-20). */
export function PlanOffer({ plan, current, closed = false, owes = false }: PlanOfferProps) {
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  // A gift membership can't be changed, in any column.
  const isOwn = current?.gift === true && tierOf(current.plan) === plan.tier
  const offer = isOwn ? 'Your plan' : offerOf(plan, current?.plan)
  if (!current && owes)
    return (
      <LinkButton
        to="/subscription-details"
        look="quiet"
        aria-label={`Settle your last payment to choose ${plan.type}`}
      >
        Settle your last payment
      </LinkButton>
    )
  if (!current)
    return (
      <LinkButton
        to="/payment"
        search={{ plan: plan.id }}
        look={plan.tier === 'avid' && !closed ? 'beak' : 'quiet'}
        aria-label={`${closed ? HAS_CODE : 'Get plan'}, ${plan.type}`}
      >
        {closed ? HAS_CODE : offer}
      </LinkButton>
    )
  if (offer === 'Your plan')
    return (
      <div className={styles.current}>
        <p>Your plan</p>
        <LinkButton to="/subscription-details" look="quiet">
          Manage
        </LinkButton>
      </div>
    )
  if (current.gift) return <p className={styles.after}>For when your gift has ended</p>
  const label = offer.startsWith('Switch') ? `${plan.type}: ${offer}` : `${offer} to ${plan.type}`
  // Both resuming and paying are done on the details page.
  if (current.canceledAt !== null || current.status === 'past_due')
    return (
      <LinkButton to="/subscription-details" look="quiet" aria-label={label}>
        {offer}
      </LinkButton>
    )
  const changed = async (words: string) => {
    toast(words)
    await reloadUser().catch(() => undefined)
    await navigate({ to: '/subscription-details' })
  }
  return (
    <>
      <Button
        look="quiet"
        aria-label={label}
        onPointerEnter={() => void loadChange()}
        onFocus={() => void loadChange()}
        onClick={() => setAsked(true)}
      >
        {offer}
      </Button>
      {asked && (
        <Suspense>
          <ChangePlan
            owner={currentSession().owner?.uuid ?? ''}
            membership={{ id: current.id, plan: planIdOf(current.plan), price: current.price }}
            wanted={plan.id}
            onClose={() => setAsked(false)}
            onChanged={(words) => void changed(words)}
          />
        </Suspense>
      )}
    </>
  )
}

const HAS_CODE = 'I have a code'
const tierOf = (plan: number) => plans()[planIdOf(plan)].tier
const planIdOf = (plan: number): PlanId => Object.values(plans()).find(({ id }) => id === plan)?.id ?? 4
