import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import type { PlanId } from '#contract/plans.ts'
import { amount, toMinor } from '#format/money.ts'
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
  onLooking: (looking: boolean) => void
}

/** A code for a membership: looked at here, kept by nobody until the membership begins (DISC-07). */
export function PlanCodeBox({ plan, applied, onChange, onLooking }: PlanCodeBoxProps) {
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')

  const look = async (code: string) => {
    setBusy(true)
    onLooking(true)
    try {
      const found = await lookAtPlanCode(queryClient, code, plan)
      if ('problem' in found) {
        setError(found.problem)
        return found
      }
      onChange({ code, discount: found })
      return { applied: code }
    } finally {
      setBusy(false)
      onLooking(false)
    }
  }
  return (
    <CodeField
      applied={applied && { code: applied.code, words: offWords(applied.discount) }}
      busy={busy}
      error={error}
      onApply={(typed) => look(couponCode(typed))}
      onRemove={() => onChange(undefined)}
      onType={() => setError('')}
    />
  )
}

const offWords = ({ relative_discount: percent, discount_amount: pounds }: PlanDiscount): string =>
  percent === null ? `${amount(toMinor(pounds ?? 0))} off` : `${percent}% off`
