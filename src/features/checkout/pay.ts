import type { PaymentOutcome } from '#contract/checkout.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { RefusalReason } from '#contract/problem.ts'
import { NetProblem } from '#net/problem.ts'
import type { Begun, NewAccount, Purchase } from './purchase.ts'
import { fieldsOf, type PaymentDetails } from './validation.ts'

/** What the flow needs from the shop and from Stripe; each function may throw. */
export interface PaymentDeps extends Pick<Purchase, 'isUpdated' | 'register'> {
  readonly checkout: () => Promise<Begun>
  /**
   * Confirms the card or PayPal payment at Stripe. An error proves nothing: `payFor` checks it with the
   * server.
   */
  readonly confirm: (secret: string, returnUrl: string) => Promise<'done' | 'failed'>
  readonly outcome: (secret: string) => Promise<PaymentOutcome>
  /** Called before Stripe is, so that the payment can be found again if this page is lost. */
  readonly remember: (pending: { order: string; secret: string; newUser: boolean }) => void
}

/**
 * How a press on "Pay now" ends. `updated` leads back to the bag or to the choice of plan. `stay` keeps the
 * form and what was typed, and shows `message`; with `uncertain`, the outcome of the payment is unknown, and
 * the payment stays stored.
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
 * Pays for a purchase, in the order of PAY-25 to PAY-27: availability, account, order, money. Nothing is
 * charged before the last step. The result comes from the server and is never guessed (trap 24).
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
  // Refused, paid in another tab, or the response was lost: only the server knows.
  const outcome = await deps.outcome(secret).catch((problem: unknown) => ({ problem }))
  if (typeof outcome === 'object')
    return { end: 'stay', message: whyUnknown(outcome.problem), uncertain: true }
  return outcome === 'paid' || outcome === 'checking'
    ? { end: 'successful', order, secret, newUser }
    : { end: 'problem', secret }
}

/**
 * Blame the connection only if there was no response at all; without a reason from the server, blame nothing.
 * The retry uses the same order and payment, so the buyer can't be charged twice.
 */
function whyUnknown(problem: unknown): string {
  if (!(problem instanceof NetProblem) || problem.kind === 'offline')
    return 'Check your connection and try again. You won’t be charged twice.'
  if (problem.status === 503 && problem.description) return problem.description
  return 'We can’t find out just now. Please try again in a few minutes. You won’t be charged twice.'
}

/** The id (`pi_…` or `seti_…`) in a client secret. */
export const intentOf = (secret: string): string => secret.split('_secret_')[0] ?? ''

/** CONST-02: nothing is left to pay, so no card is needed (PAY-29). */
export const isFree = (totalMinor: number, itemCount: number): boolean => itemCount > 0 && totalMinor === 0

/**
 * docs/product.md, Bag and checkout: a 5xx leads to the problem page, except a 503 with a reason, which the
 * form shows. Without a response the form stays, because no money has moved yet.
 */
function beforeMoney(problem: unknown): PaymentEnd {
  if (!(problem instanceof NetProblem)) return { end: 'problem', secret: null }
  if (problem.kind === 'offline')
    return { end: 'stay', message: 'Paying needs a connection. Check yours and try again.' }
  if (problem.status === 503 && problem.description) return { end: 'stay', message: problem.description }
  if (problem.kind === 'server') return { end: 'problem', secret: null }
  return refused(problem)
}

function refused(problem: NetProblem): PaymentEnd {
  // ERR-03: the buyer can try another card.
  if (problem.reason === 'payment_method_invalid') return { end: 'problem', secret: null }
  return {
    end: 'stay',
    message:
      (problem.reason && YOURS[problem.reason]) ?? (problem.description || MESSAGES.somethingWentWrong),
    fields: fieldsOf(problem.violations),
  }
}

/**
 * Server messages about a user, rewritten to address the buyer. ERR-01 and ERR-02 give these words, including
 * “an payment”.
 */
const YOURS: Readonly<Partial<Record<RefusalReason, string>>> = {
  already_member: 'You already have an active subscription',
  membership_payment_failed: 'You already have an payment failed subscription',
}

/** ERR-04, ERR-29. */
function notRegistered(problem: unknown): PaymentEnd {
  if (problem instanceof NetProblem && problem.reason === 'email_taken')
    return { end: 'stay', message: EMAIL_TAKEN, fields: { email: EMAIL_TAKEN } }
  if (problem instanceof NetProblem && (problem.status === 429 || problem.violations.length > 0))
    return refused(problem)
  return { end: 'stay', message: MESSAGES.somethingWentWrong }
}

export const EMAIL_TAKEN = 'This email already exists with a user account, please sign in'

async function afterConflict(problem: NetProblem, deps: PaymentDeps): Promise<PaymentEnd> {
  if (problem.reason === 'total_changed')
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
