/**
 * The payment that this tab began and has not seen the end of: kept over a reload and over the way to PayPal. The
 * order itself waits on the server, so a tab that is closed loses nothing.
 */
export interface PendingPayment {
  readonly order: string
  readonly secret: string
  readonly newUser: boolean
}

const KEY = 'pendingCheckout'

export function rememberPayment(pending: PendingPayment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(pending))
  } catch {
    // The return address carries what is needed too.
  }
}

export function pendingPayment(): PendingPayment | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    return isPending(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export function forgetPayment(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // See `rememberPayment`.
  }
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
