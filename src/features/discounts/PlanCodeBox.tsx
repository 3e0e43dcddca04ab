import { useQueryClient } from '@tanstack/react-query'
import type { PlanDiscount } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import type { PlanId } from '#contract/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { Refused } from '#writes/use-write.ts'
import { CodeField } from './CodeField.tsx'
import { lookAtPlanCode } from './queries.ts'

interface Applied {
  readonly code: string
  readonly discount: PlanDiscount
}

interface PlanCodeBoxProps {
  plan: PlanId
  applied: Applied | undefined
  onChange: (applied: Applied | undefined) => void
}

/** A code for a membership. It is only checked here; the server stores it when the membership begins (DISC-07). */
export function PlanCodeBox({ plan, applied, onChange }: PlanCodeBoxProps) {
  const queryClient = useQueryClient()
  const apply = async (typed: string) => {
    const code = couponCode(typed)
    const found = await lookAtPlanCode(queryClient, code, plan)
    if ('problem' in found) throw new Refused(found.problem)
    onChange({ code, discount: found })
    return code
  }
  return (
    <CodeField
      applied={applied && { code: applied.code, effect: effectOf(applied.discount) }}
      apply={apply}
      remove={async () => onChange(undefined)}
    />
  )
}

const effectOf = ({ relative_discount: percent, discount_amount: pounds }: PlanDiscount): string =>
  percent === null ? `${amount(toMinor(pounds ?? 0))} off` : `${percent}% off`
