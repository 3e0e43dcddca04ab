import type { PaymentOutcome } from '#contract/checkout.ts'
import { MESSAGES } from '#contract/messages.ts'
import { NetProblem } from '#net/problem.ts'
import type { Begun, NewAccount, Purchase } from './purchase.ts'
import { fieldsOf, type PaymentDetails } from './validation.ts'

/** The flow's needs of the shop and of the card provider; each may throw. */
export interface PaymentDeps extends Pick<Purchase, 'isUpdated' | 'register'> {
  readonly checkout: () => Promise<Begun>
  /** The card or PayPal at the provider. An error is the provider's word, which is asked about before it is believed. */
  readonly confirm: (secret: string, returnUrl: string) => Promise<'done' | 'failed'>
  readonly outcome: (secret: string) => Promise<PaymentOutcome>
  /** Told before the provider is: whatever happens to this page, the payment can be found again. */
  readonly remember: (pending: { order: string; secret: string; newUser: boolean }) => void
}

/**
 * The end of a press on "Pay now". `updated` leads back to where the purchase is put together. `stay` keeps the
 * form, what was typed, and says `message`; with `uncertain` nobody could say whether the money moved, and the
 * payment stays remembered.
 */
export type PaymentEnd =
  | {
      readonly end: 'successful'
      readonly order: string
      readonly secret: string | null
      readonly newUser: boolean
    }
  | { readonly end: 'problem'; readonly secret: string | null }
  | { readonly end: 'updated' }
  | { readonly end: 'follow'; readonly url: string }
  | {
      readonly end: 'stay'
      readonly message: string
      readonly fields?: Partial<Record<keyof PaymentDetails, string>>
      readonly totalChanged?: true
      readonly uncertain?: true
    }

/**
 * A purchase, in the order of PAY-25 to PAY-27: availability, account, order, money. Nothing is charged before
 * the last step, and what became of that is asked of the server, never guessed (trap 24).
 */
export async function payFor(account: NewAccount | undefined, deps: PaymentDeps): Promise<PaymentEnd> {
  try {
    if (await deps.isUpdated()) return { end: 'updated' }
  } catch (problem) {
    return beforeMoney(problem)
  }
  if (account) {
    try {
      await deps.register(account)
    } catch (problem) {
      return notRegistered(problem)
    }
  }
  const newUser = account !== undefined
  let checkout: Begun
  try {
    checkout = await deps.checkout()
  } catch (problem) {
    if (problem instanceof NetProblem && problem.status === 409) return afterConflict(problem, deps)
    return beforeMoney(problem)
  }
  if (checkout.url) return { end: 'follow', url: checkout.url }
  const { clientSecret: secret, order, returnUrl } = checkout
  if (!secret) return { end: 'successful', order, secret: null, newUser }

  deps.remember({ order, secret, newUser })
  const said = await deps.confirm(secret, returnUrl).catch(() => 'failed' as const)
  if (said === 'done') return { end: 'successful', order, secret, newUser }
  // Refused, or paid by another tab, or the answer got lost: only the server knows.
  const outcome = await deps.outcome(secret).catch((problem: unknown) => ({ problem }))
  if (typeof outcome === 'object')
    return { end: 'stay', message: whyUnknown(outcome.problem), uncertain: true }
  return outcome === 'paid' || outcome === 'checking'
    ? { end: 'successful', order, secret, newUser }
    : { end: 'problem', secret }
}

/**
 * Their connection is blamed only where nobody answered; a shop that cannot say why names no fault. The same order and the same
 * payment are asked for again, so nobody is charged twice.
 */
function whyUnknown(problem: unknown): string {
  if (!(problem instanceof NetProblem) || problem.kind === 'offline')
    return 'Check your connection and try again. You won’t be charged twice.'
  if (problem.status === 503 && problem.description) return problem.description
  return 'We can’t find out just now. Please try again in a few minutes. You won’t be charged twice.'
}

/** `pi_…` or `seti_…` out of the secret that the browser holds. */
export const intentOf = (secret: string): string => secret.split('_secret_')[0] ?? ''

/** CONST-02: nothing is left to pay, so no card is asked for (PAY-29). */
export const isFree = (totalMinor: number, itemCount: number): boolean => itemCount > 0 && totalMinor === 0

/** docs/product.md, Bag and checkout: 5xx goes to the problem page, 503 stays and says why; without an answer the form stays, for no money moved yet. */
function beforeMoney(problem: unknown): PaymentEnd {
  if (!(problem instanceof NetProblem)) return { end: 'problem', secret: null }
  if (problem.kind === 'offline')
    return { end: 'stay', message: 'Paying needs a connection. Check yours and try again.' }
  // It knows why it cannot be paid at the moment, and says so.
  if (problem.status === 503 && problem.description) return { end: 'stay', message: problem.description }
  if (problem.kind === 'server') return { end: 'problem', secret: null }
  return refused(problem)
}

/** The reason, and each part of it at its field. */
function refused(problem: NetProblem): PaymentEnd {
  // ERR-03: another card may do.
  if (problem.description.includes('Payment method not valid')) return { end: 'problem', secret: null }
  return {
    end: 'stay',
    message: YOURS[problem.description] ?? (problem.description || MESSAGES.somethingWentWrong),
    fields: fieldsOf(problem.violations),
  }
}

/** What the wire says of a user, said to them. ERR-01 and ERR-02 give these words, “an payment” too. */
const YOURS: Readonly<Record<string, string>> = {
  'User already has an active subscription': 'You already have an active subscription',
  'User already has an payment failed subscription': 'You already have an payment failed subscription',
}

/** ERR-04, ERR-29. */
function notRegistered(problem: unknown): PaymentEnd {
  if (problem instanceof NetProblem && problem.description.includes('already taken'))
    return { end: 'stay', message: EMAIL_TAKEN, fields: { email: EMAIL_TAKEN } }
  if (problem instanceof NetProblem && (problem.status === 429 || problem.violations.length > 0))
    return refused(problem)
  return { end: 'stay', message: MESSAGES.somethingWentWrong }
}

export const EMAIL_TAKEN = 'This email already exists with a user account, please sign in'

async function afterConflict(problem: NetProblem, deps: PaymentDeps): Promise<PaymentEnd> {
  if (problem.description.includes(MESSAGES.totalHasChanged))
    return {
      end: 'stay',
      message: `${MESSAGES.totalHasChanged}. Check it and pay again.`,
      totalChanged: true,
    }
  const updated = await deps.isUpdated().catch(() => false)
  return updated
    ? { end: 'updated' }
    : { end: 'stay', message: problem.description || MESSAGES.somethingWentWrong }
}
