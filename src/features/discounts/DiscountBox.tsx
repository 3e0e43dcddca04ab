import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { useState, type FormEvent } from 'react'
import type { AppliedDiscount } from '#contract/discounts.ts'
import { amount, toMinor } from '#format/money.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Field } from '#ui/Field.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './DiscountBox.module.css'
import { applyCode, removeCode, useDiscount, type DiscountedBag } from './store.ts'

interface DiscountBoxProps {
  bag: DiscountedBag
  /** What the server takes off the bag now. */
  applied: AppliedDiscount | null
}

/** One field and one button; a code that holds stands in their place, with the way to take it off. */
export function DiscountBox({ bag, applied }: DiscountBoxProps) {
  const { isLoading, error } = useDiscount()
  const [typed, setTyped] = useState('')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The box stands inside the form of the payment on phones: its Enter is not a "Pay now".
    event.stopPropagation()
    if (typed.trim() === '' || isLoading) return
    await applyCode(typed, bag)
    const { error: said, discountCode } = useDiscount.getState()
    announce(said || `Code ${discountCode ?? ''} applied.`)
    if (!said) setTyped('')
  }
  if (applied)
    return (
      <div className={styles.applied}>
        <span className={styles.code}>
          {applied.discount_code}
          <Icon of={CheckIcon} size={18} />
        </span>
        <span className={styles.words}>{wordsOf(applied)}</span>
        <Button
          look="text"
          busy={isLoading}
          aria-label={`Remove code ${applied.discount_code}`}
          onClick={() => void removeCode(bag)}
        >
          Remove
        </Button>
        {error && (
          <p className={styles.problem} role="alert">
            {error}
          </p>
        )}
      </div>
    )
  return (
    <form className={styles.box} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label="Discount code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={typed}
        error={error || undefined}
        onChange={(event) => {
          setTyped(event.target.value)
          if (error) useDiscount.setState({ error: '' })
        }}
      />
      <Button type="submit" look="quiet" busy={isLoading} disabled={typed.trim() === ''}>
        Apply
      </Button>
    </form>
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
