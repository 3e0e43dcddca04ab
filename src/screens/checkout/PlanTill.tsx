import { useState } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import type { PlanId } from '#contract/plans.ts'
import { PlanCodeBox } from '#features/discounts/PlanCodeBox.tsx'
import { MembershipTill } from './MembershipTill.tsx'
import { planPurchase } from './plan-purchase.ts'
import { PlanSummary } from './PlanSummary.tsx'

/** Joining for a plan of one's own. */
export function PlanTill({ plan }: { plan: PlanId }) {
  const [applied, setApplied] = useState<{ code: string; discount: PlanDiscount }>()
  const [looking, setLooking] = useState(false)
  return (
    <MembershipTill
      purchase={planPurchase({
        plan,
        discount: applied?.discount,
        code: applied?.code ?? null,
        blocked: looking ? 'We’re checking your discount code.' : undefined,
      })}
      summary={
        <PlanSummary plan={plan} discount={applied?.discount}>
          <PlanCodeBox plan={plan} applied={applied} onChange={setApplied} onLooking={setLooking} />
        </PlanSummary>
      }
    />
  )
}
