import { create } from 'zustand'
import { registerUserScope, type TabKey, tabNote } from '#session/user-scope.ts'
import type { DeviceKey } from '#session/log-out.ts'
import { localStore, tabStorage } from '#storage/page-storage.ts'
import type { MembershipPaid, Method } from './purchase.ts'

/**
 * The checkout form's content, stored so that it survives a refused card, a reload or the redirect to PayPal.
 */
interface CheckoutDraft {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly cardholder: string
  readonly countryCode: string
  readonly method: Method
  /** The text of the ticked waiver. A purchase with a different text starts with its box empty. */
  readonly agreedTo: string
  readonly withAccount: boolean
  readonly saveCard: boolean
}

const NOTHING: CheckoutDraft = {
  email: '',
  firstName: '',
  lastName: '',
  cardholder: '',
  countryCode: '',
  method: 'card',
  agreedTo: '',
  withAccount: true,
  saveCard: false,
}
const tabDraft = tabNote('tillDraft')

/** Never contains the password. */
export const useCheckoutDraft = create<CheckoutDraft>()(() => NOTHING)

export function writeDraft(typed: CheckoutDraft): void {
  useCheckoutDraft.setState(typed)
  tabDraft.write(typed)
}

export function forgetDraft(): void {
  rememberPlanCode(undefined)
  tabDraft.forget()
  useCheckoutDraft.setState(NOTHING)
}

export function recallDraft(): void {
  const kept = tabDraft.read()
  if (!kept) return
  const text = (name: keyof CheckoutDraft): string => {
    const value = kept[name]
    return typeof value === 'string' ? value : ''
  }
  useCheckoutDraft.setState({
    email: text('email'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    cardholder: text('cardholder'),
    countryCode: text('countryCode'),
    method: kept.method === 'paypal' ? 'paypal' : 'card',
    agreedTo: text('agreedTo'),
    withAccount: kept.withAccount !== false,
    saveCard: kept.saveCard === true,
  })
}

recallDraft()
registerUserScope('checkout', { close: forgetDraft })

/**
 * A payment of this tab whose outcome is still unknown. In sessionStorage, so that it survives a reload and
 * the redirect to PayPal. The server has the order, so a closed tab loses nothing.
 */
interface PendingPayment {
  readonly order: string
  readonly secret: string
  readonly newUser: boolean
  readonly code?: string | null
  readonly membership?: MembershipPaid
}

const KEY = 'pendingCheckout' satisfies TabKey
/** Stored separately, because a code for a membership is not valid for a bag. */
const CODE_KEY = { bag: 'codeAgain', membership: 'planCodeAgain' } as const satisfies Record<string, TabKey>

export function rememberPayment(pending: PendingPayment): void {
  // Where storage is blocked, the return URL has everything that is needed.
  tabStorage.setItem(KEY, JSON.stringify(pending))
}

export function pendingPayment(): PendingPayment | undefined {
  try {
    const kept: unknown = JSON.parse(tabStorage.getItem(KEY) ?? 'null')
    return isPending(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

export function forgetPayment(): void {
  tabStorage.removeItem(KEY)
}

const tabBooks = tabNote('booksAfterJoining')

/** The books of a bag with a membership: they are paid for once the membership has been. */
export interface BooksAfterJoining {
  readonly cart: string
  readonly subscription: string
  /** Their total at member prices, in pounds. */
  readonly amount: number
}

export const rememberBooks = (books: BooksAfterJoining): void => tabBooks.write(books)
export const forgetBooks = (): void => tabBooks.forget()
export function booksAfterJoining(): BooksAfterJoining | undefined {
  const { cart, subscription, amount } = tabBooks.read() ?? {}
  return typeof cart === 'string' && typeof subscription === 'string' && typeof amount === 'number'
    ? { cart, subscription, amount }
    : undefined
}

/** After a failed payment, stores its code for the next attempt (docs/product.md, Money). */
export function giveUpPayment(): void {
  const { code, membership } = pendingPayment() ?? {}
  // A trial is free with or without a code.
  if (code && membership?.kind !== 'trial') storeCode(code, membership ? 'membership' : 'bag')
  forgetPayment()
}

export function storeCode(code: string, of: keyof typeof CODE_KEY = 'bag'): void {
  tabStorage.setItem(CODE_KEY[of], code)
}

export function takeCode(of: keyof typeof CODE_KEY = 'bag'): string | undefined {
  const code = tabStorage.getItem(CODE_KEY[of]) ?? undefined
  tabStorage.removeItem(CODE_KEY[of])
  return code
}

const WALLETS_KEY = 'noWallets' satisfies DeviceKey

/** Whether this browser offered a wallet at the last checkout; true before the first checkout. */
export const hadWallets = (): boolean => localStore.getItem(WALLETS_KEY) === null
export function storeHasWallets(hasSome: boolean): void {
  if (hasSome) localStore.removeItem(WALLETS_KEY)
  else localStore.setItem(WALLETS_KEY, '1')
}

const PLAN_CODE_KEY = 'planCode' satisfies DeviceKey

/**
 * The discount code applied to a plan. In localStorage, so that a reload, another tab and a later visit still
 * have it.
 */
export function rememberPlanCode(code: string | undefined): void {
  if (code === undefined) localStore.removeItem(PLAN_CODE_KEY)
  else localStore.setItem(PLAN_CODE_KEY, code)
}
export const rememberedPlanCode = (): string | undefined => localStore.getItem(PLAN_CODE_KEY) ?? undefined

const isPending = (kept: unknown): kept is PendingPayment =>
  typeof kept === 'object' &&
  kept !== null &&
  'order' in kept &&
  typeof kept.order === 'string' &&
  'secret' in kept &&
  typeof kept.secret === 'string' &&
  'newUser' in kept &&
  typeof kept.newUser === 'boolean'
