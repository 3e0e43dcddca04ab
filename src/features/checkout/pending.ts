import type { MembershipPaid } from './purchase.ts'
import { keptInTab } from '#device/page-storage.ts'

/**
 * The payment that this tab began and has not seen the end of: kept over a reload and over the way to PayPal. The
 * order itself waits on the server, so a tab that is closed loses nothing.
 */
export interface PendingPayment {
  readonly order: string
  readonly secret: string
  readonly newUser: boolean
  /** The discount code that stands on the order. */
  readonly code?: string | null
  /** Of a membership, or of its new card. */
  readonly membership?: MembershipPaid
}

const KEY = 'pendingCheckout'
const CODE_KEY = 'codeToApplyAgain'

export function rememberPayment(pending: PendingPayment): void {
  // Where the browser keeps nothing, the return address carries what is needed.
  keptInTab.setItem(KEY, JSON.stringify(pending))
}

export function pendingPayment(): PendingPayment | undefined {
  try {
    const kept: unknown = JSON.parse(keptInTab.getItem(KEY) ?? 'null')
    return isPending(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export function forgetPayment(): void {
  keptInTab.removeItem(KEY)
}

/** It was not paid: its code waits for the next try (docs/product.md, Money). */
export function giveUpPayment(): void {
  const code = pendingPayment()?.code
  if (code) keepCode(code)
  forgetPayment()
}

export function keepCode(code: string): void {
  keptInTab.setItem(CODE_KEY, code)
}

/** The code of the last payment that was not paid, once. */
export function takeCode(): string | undefined {
  const code = keptInTab.getItem(CODE_KEY) ?? undefined
  keptInTab.removeItem(CODE_KEY)
  return code
}

const isPending = (kept: unknown): kept is PendingPayment =>
  typeof kept === 'object' &&
  kept !== null &&
  'order' in kept &&
  typeof kept.order === 'string' &&
  'secret' in kept &&
  typeof kept.secret === 'string' &&
  'newUser' in kept &&
  typeof kept.newUser === 'boolean'
