import { DISCOUNT_REFUSALS, type DiscountRefusal, MESSAGES } from '#contract/messages.ts'
import type { CardRefusal } from '#contract/messages-cards.ts'
import type { RefusalReason, Violation } from '#contract/problem.ts'

/** Why the shop refuses a request, independent of HTTP. `error-responses.ts` maps kinds to status codes. */
export type RefusalKind =
  | 'unreadable'
  | 'notSignedIn'
  | 'forbidden'
  /** 403: the office asks for the passkey again. */
  | 'confirmAgain'
  | 'notFound'
  /** 410: the resource was deleted, and clients should delete their copies. */
  | 'gone'
  /** The state on which the request was based has changed, or is being changed. */
  | 'outdated'
  | 'refused'
  | 'tooMany'
  | 'unavailable'

interface More {
  readonly violations?: readonly Violation[]
  readonly retryAfterSeconds?: number
  readonly reason?: RefusalReason
}

export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly violations: readonly Violation[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly reason: RefusalReason | undefined

  constructor(kind: RefusalKind, description: string, { violations, retryAfterSeconds, reason }: More = {}) {
    super(description)
    this.kind = kind
    this.violations = violations
    this.retryAfterSeconds = retryAfterSeconds
    this.reason = reason
  }
}

export const unreadable = (description: string) => new Refusal('unreadable', description)
export const notSignedIn = (description = 'JWT Token not found') => new Refusal('notSignedIn', description)
export const forbidden = (description = 'Access Denied.') => new Refusal('forbidden', description)
export const confirmAgain = () => new Refusal('confirmAgain', 'Please confirm with your passkey.')
export const notFound = (description = 'Not Found') => new Refusal('notFound', description)
export const gone = (description: string) => new Refusal('gone', description)
export const outdated = (description: string, retryAfterSeconds?: number) =>
  new Refusal('outdated', description, retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
export const noPaymentsYet = () =>
  new Refusal('refused', 'This shop can’t take payments yet. Nothing was charged.')
export const totalChanged = () =>
  new Refusal('outdated', MESSAGES.totalHasChanged, { reason: 'total_changed' })
export const refused = (description: string, reason?: RefusalReason) =>
  new Refusal('refused', description, { ...(reason && { reason }) })
export const refusedCard = (reason: CardRefusal) => refused(reason, reason)
export const refusedCode = (reason: DiscountRefusal) => refused(DISCOUNT_REFUSALS[reason], reason)
export const unprocessable = (propertyPath: string, message: string, reason?: RefusalReason) =>
  new Refusal('refused', propertyPath ? `${propertyPath}: ${message}` : message, {
    violations: [{ propertyPath, message, ...(reason && { code: reason }) }],
    ...(reason && { reason }),
  })
export const tooMany = (
  retryAfterSeconds: number,
  description = 'Too many attempts. Please wait and try again.',
) => new Refusal('tooMany', description, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) })
/** The request can be repeated shortly: nothing happens twice. */
export const providerAway = () =>
  new Refusal(
    'unavailable',
    'Our payment provider isn’t answering just now. Please try again in a few minutes. You won’t be charged twice.',
    { retryAfterSeconds: 5 },
  )
export const diskFull = () =>
  new Refusal('unavailable', 'The shop can’t save anything just now. Please try again in a few minutes.', {
    retryAfterSeconds: 60,
  })
export const unavailable = (retryAfterSeconds: number) =>
  new Refusal('unavailable', 'The shop is catching its breath. Please try again in a moment.', {
    retryAfterSeconds,
  })
