import { useQueryClient } from '@tanstack/react-query'
import type { AppliedDiscount } from '#contract/discounts.ts'
import { amount, toMinor } from '#format/money.ts'
import { CodeField } from './CodeField.tsx'
import { applyCode, removeCode } from './mutations.ts'

/** The discount code of the bag, which the server stores with it. */
export function DiscountBox({ applied }: { applied: AppliedDiscount | null }) {
  const queryClient = useQueryClient()
  return (
    <CodeField
      applied={applied ? { code: applied.discount_code, effect: effectOf(applied) } : undefined}
      apply={async (typed) => (await applyCode(queryClient, typed)).discount_code}
      remove={() => removeCode(queryClient)}
    />
  )
}

function effectOf({ discount_type, relative_discount, discount_amount, saved }: AppliedDiscount): string {
  const what = {
    cheapest_book: 'the cheapest book',
    book: 'one book',
    all: 'your bag',
    subscription: 'your membership',
    monthly: 'your membership',
    yearly: 'your membership',
  }[discount_type]
  return relative_discount === null || discount_amount !== null
    ? `${amount(toMinor(discount_amount ?? saved))} off ${what}`
    : `${relative_discount}% off ${what}`
}
