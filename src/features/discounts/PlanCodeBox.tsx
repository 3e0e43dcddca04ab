import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { PlanId } from '#contract/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { NetProblem } from '#net/problem.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './DiscountBox.module.css'
import { planPriceQuery } from './queries.ts'

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
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState('')

  const look = async () => {
    const code = couponCode(typed)
    if (code === '' || busy) return
    setBusy(true)
    onLooking(true)
    try {
      const discount = await queryClient.fetchQuery(planPriceQuery(code, plan))
      if (discount.valid) {
        onChange({ code, discount })
        setTyped('')
        announce(`Code ${code} applied.`)
      } else setError(discount.message || MESSAGES.discountNotValid)
    } catch (problem) {
      setError(wordsOf(problem))
    } finally {
      setBusy(false)
      onLooking(false)
    }
  }
  if (applied)
    return (
      <div className={styles.applied}>
        <span className={styles.code}>
          {applied.code}
          <Icon of={CheckIcon} size={18} />
        </span>
        <span className={styles.words}>{offWords(applied.discount)}</span>
        <Button look="text" aria-label={`Remove code ${applied.code}`} onClick={() => onChange(undefined)}>
          Remove
        </Button>
      </div>
    )
  return (
    <form
      className={styles.box}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        // The box stands inside the form of the payment on phones: its Enter is not a "Subscribe".
        event.stopPropagation()
        void look()
      }}
    >
      <Field
        label="Discount code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        error={error || undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          setError('')
        }}
      />
      <Button type="submit" look="quiet" busy={busy} disabled={typed.trim() === ''}>
        Apply
      </Button>
    </form>
  )
}

const wordsOf = (problem: unknown): string =>
  problem instanceof NetProblem && problem.kind === 'refused'
    ? problem.status === 404
      ? MESSAGES.discountNotValid
      : problem.description || MESSAGES.discountNotValid
    : MESSAGES.discountFailed

const offWords = ({ relative_discount: percent, discount_amount: pounds }: PlanDiscount): string =>
  percent === null ? `${amount(toMinor(pounds ?? 0))} off` : `${percent}% off`
