import { useQueryClient } from '@tanstack/react-query'
import type { AppliedDiscount } from '#contract/discounts.ts'
import { amount, toMinor } from '#format/money.ts'
import { CodeField } from './CodeField.tsx'
import { applyCode, removeCode, useDiscount } from './store.ts'

interface DiscountBoxProps {
  /** The server's reduction of the bag now. */
  applied: AppliedDiscount | null
}

/** A code for the bag, which keeps it. */
export function DiscountBox({ applied }: DiscountBoxProps) {
  const queryClient = useQueryClient()
  const { isLoading, error } = useDiscount()
  const apply = async (typed: string) => {
    await applyCode(typed, queryClient)
    const { error: problem, discountCode } = useDiscount.getState()
    return problem ? { problem } : { applied: discountCode ?? '' }
  }
  return (
    <CodeField
      applied={applied ? { code: applied.discount_code, words: wordsOf(applied) } : undefined}
      busy={isLoading}
      error={error}
      onApply={apply}
      onRemove={() => void removeCode(queryClient)}
      onType={() => error && useDiscount.setState({ error: '' })}
    />
  )
}

function wordsOf({ discount_type, relative_discount, discount_amount, saved }: AppliedDiscount): string {
  const what = {
    cheapest_book: 'the cheapest book',
    book: 'one book',
    all: 'your bag',
    subscription: 'your membership',
    monthly: 'your membership',
    yearly: 'your membership',
  }[discount_type]
  if (discount_amount !== null) return `${amount(toMinor(discount_amount))} off ${what}`
  return relative_discount === null
    ? `${amount(toMinor(saved))} off ${what}`
    : `${relative_discount}% off ${what}`
}
