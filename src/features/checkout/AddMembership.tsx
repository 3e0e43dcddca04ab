import type { Cart } from '#contract/bag.ts'
import { type Plan, planInWords } from '#contract/plans.ts'
import { rhythmOf, simplerChoice } from '#features/membership/model.ts'
import { plans } from '#features/shop-details/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { Switch } from '#ui/Checkbox.tsx'

/** The monthly plan that this bag can be paid with; undefined if members would pay no less, or none is sold. */
export function planForBag(cart: Cart): Plan | undefined {
  const id = cart.sumForMembers === undefined || cart.blocked ? undefined : simplerChoice('month')
  return id && plans()[id]
}

interface AddMembershipProps {
  cart: Cart
  plan: Plan
  checked: boolean
  onChange: (checked: boolean) => void
}

export const AddMembership = ({ cart, plan, checked, onChange }: AddMembershipProps) => (
  <Switch
    label={`Add ${planInWords(plan)}, ${amount(plan.priceMinor)}`}
    note={`Your books cost ${amount(toMinor(cart.sumForMembers ?? 0))} instead of ${amount(toMinor(cart.sumCheckedForPayment))}. It renews at ${amount(plan.priceMinor)} ${rhythmOf(plan.id)} until you cancel.`}
    checked={checked}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
)
