import { wait } from '#storage/wait.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'

/** The client's knowledge of a code (ENT-12); `discountAmount` in pounds. */
export interface DiscountState {
  readonly discountCode: string | null
  readonly relativeDiscount: number | null
  readonly discountAmount: number | null
  readonly isLoading: boolean
  /** The message about the last code; empty where there is none. */
  readonly error: string
}

export const NO_DISCOUNT: DiscountState = {
  discountCode: null,
  relativeDiscount: null,
  discountAmount: null,
  isLoading: false,
  error: '',
}

export interface AppliedCode {
  readonly discount_code: string
  readonly relative_discount: number | null
  readonly discount_amount: number | null
}

export const appliedState = (applied: AppliedCode): DiscountState => ({
  discountCode: applied.discount_code,
  relativeDiscount: applied.relative_discount,
  discountAmount: applied.discount_amount,
  isLoading: false,
  error: '',
})

/** After what was bought changed, a code of everything and a fixed amount are worth something else (BAG-18, DISC-08). */
export const needsRefresh = (
  discount: Pick<DiscountState, 'discountCode' | 'relativeDiscount' | 'discountAmount'>,
): boolean =>
  discount.discountCode !== null && (discount.relativeDiscount === 100 || discount.discountAmount !== null)

/** The server's word on a code, or that nobody could tell (ERR-05). */
export function couponProblem(problem: unknown): string {
  if (problem instanceof NoCart) return problem.message
  return (problem instanceof NetProblem && problem.description) || MESSAGES.discountFailed
}

/** ERR-06: a code that was used already stays, with what was said of it; any other goes. */
export const afterFailure = (code: string, words: string): DiscountState =>
  words.includes('already used')
    ? { ...NO_DISCOUNT, discountCode: code, error: words }
    : { ...NO_DISCOUNT, error: words }

/** The bag still had no id after every attempt (ERR-07). */
export class NoCart extends Error {
  constructor() {
    super(MESSAGES.discountNoCart)
  }
}

/** DISC-05, DISC-13: one second apart, five times for a new code, three for one that is looked at again. */
export const ATTEMPTS = { apply: 5, refresh: 3 } as const
export const APART_MS = 1_000

interface WithRetry<T> {
  /** The bag's id, as soon as it has one. */
  readonly cartId: () => string | null
  readonly apply: (cartId: string) => Promise<T>
  readonly attempts: number
  readonly wait?: (ms: number) => Promise<unknown>
}

/**
 * Applies a code as soon as the bag has an id, and answers what the server did.
 *
 * @throws {NoCart} when there was no id at any attempt
 * @throws {NetProblem} what the server refused
 */
export async function applyWithRetry<T>({
  cartId,
  apply,
  attempts,
  wait: rest = wait,
}: WithRetry<T>): Promise<T> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const id = cartId()
    if (id) return apply(id)
    if (attempt < attempts) await rest(APART_MS)
  }
  throw new NoCart()
}
