import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'
import type { AppliedDiscount, PlanDiscount } from '#contract/discounts.ts'
import { couponCode } from '#contract/limits.ts'
import type { PlanId } from '#contract/plans.ts'
import { amount, toMinor } from '#format/money.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import { Refused, useWrite } from '#writes/use-write.ts'
import styles from './CodeBox.module.css'
import { applyCode, CODE_KEY, codeProblemMessage, removeCode, lookAtPlanCode } from './codes.ts'

interface CodeFieldProps {
  applied: { readonly code: string; readonly effect: string } | undefined
  apply: (typed: string) => Promise<string>
  remove: () => Promise<unknown>
}

export function CodeField({ applied, apply, remove }: CodeFieldProps) {
  const [typed, setTyped] = useState('')
  const appliedBox = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const wasPressed = useRef(false)
  const applying = useWrite(apply, {
    key: CODE_KEY,
    message: codeProblemMessage,
    onSuccess(code) {
      announce(`Code ${code} applied.`)
      setTyped('')
    },
    onFailure: (problem) => announce(codeProblemMessage(problem)),
  })
  const removing = useWrite(remove, { key: CODE_KEY, message: codeProblemMessage })
  const isApplied = applied !== undefined
  // The pressed button is gone: move the focus to what replaced it, before the next key.
  useLayoutEffect(() => {
    if (wasPressed.current) (isApplied ? appliedBox : field).current?.focus()
    wasPressed.current = false
  }, [isApplied])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // On phones the box is inside the payment form, and Enter must not pay.
    event.stopPropagation()
    if (typed.trim() === '') return
    wasPressed.current = true
    if (!(await applying.write(typed))) wasPressed.current = false
  }
  if (applied)
    return (
      <div ref={appliedBox} className={styles.applied} tabIndex={-1}>
        <span className={styles.code}>
          {applied.code}
          <Icon of={CheckIcon} size={18} />
        </span>
        <span className={styles.words}>{applied.effect}</span>
        <Button
          look="text"
          busy={removing.busy}
          aria-label={`Remove code ${applied.code}`}
          onClick={() => {
            wasPressed.current = true
            void removing.write()
          }}
        >
          Remove
        </Button>
        {removing.refusal && (
          <p className={styles.problem} role="alert">
            {removing.refusal}
          </p>
        )}
      </div>
    )
  return (
    <form className={styles.box} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        ref={field}
        label="Discount code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        error={applying.refusal || undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          if (!applying.busy) applying.reset()
        }}
      />
      <Button type="submit" look="quiet" busy={applying.busy} disabled={typed.trim() === ''}>
        Apply
      </Button>
    </form>
  )
}

export function DiscountBox({ applied }: { applied: AppliedDiscount | null }) {
  const queryClient = useQueryClient()
  return (
    <CodeField
      applied={applied ? { code: applied.discount_code, effect: effectOnBag(applied) } : undefined}
      apply={async (typed) => (await applyCode(queryClient, typed)).discount_code}
      remove={() => removeCode(queryClient)}
    />
  )
}

function effectOnBag({ discount_type, relative_discount, discount_amount, saved }: AppliedDiscount): string {
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

interface Applied {
  readonly code: string
  readonly discount: PlanDiscount
}

interface PlanCodeBoxProps {
  plan: PlanId
  applied: Applied | undefined
  onChange: (applied: Applied | undefined) => void
}

/**
 * A code for a membership. It is only checked here; the server stores it when the membership begins
 * (DISC-07).
 */
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
      applied={applied && { code: applied.code, effect: effectOnPlan(applied.discount) }}
      apply={apply}
      remove={async () => onChange(undefined)}
    />
  )
}

const effectOnPlan = ({ relative_discount: percent, discount_amount: pounds }: PlanDiscount): string =>
  percent === null ? `${amount(toMinor(pounds ?? 0))} off` : `${percent}% off`
