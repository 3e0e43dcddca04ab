import { amount } from '#format/money.ts'
import styles from './checkout.module.css'
import type { CheckoutOpening } from '#features/checkout/use-checkout-opening.ts'

interface LostCodeProps {
  /** The code is empty if only the server knows it. */
  lost: NonNullable<CheckoutOpening['lostCode']>
  totalMinor: number
}

/** A code of an order that was not paid, which cannot be used any more. */
export const LostCode = ({ lost, totalMinor }: LostCodeProps) => (
  <p className={styles.lostCode} role="alert">
    Your code{lost.code && ` ${lost.code}`} couldn’t be applied again: {lost.why}. The total is now{' '}
    {amount(totalMinor)}.
  </p>
)
