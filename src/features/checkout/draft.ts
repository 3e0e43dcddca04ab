import { create } from 'zustand'
import { registerUserScope, tabNote } from '#session/user-scope.ts'
import { rememberPlanCode } from './pending.ts'
import type { Method } from './purchase.ts'

/** The checkout form's content, stored so that it survives a refused card, a reload or the redirect to PayPal. */
export interface CheckoutDraft {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly cardholder: string
  readonly countryCode: string
  readonly method: Method
  /** The text of the ticked waiver. A purchase with a different text starts with its box empty. */
  readonly agreedTo: string
  readonly withAccount: boolean
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
}
const note = tabNote('tillDraft')

/** Never the password. */
export const useCheckoutDraft = create<CheckoutDraft>()(() => NOTHING)

export function writeDraft(typed: CheckoutDraft): void {
  useCheckoutDraft.setState(typed)
  note.write(typed)
}

export function forgetDraft(): void {
  rememberPlanCode(undefined)
  note.forget()
  useCheckoutDraft.setState(NOTHING)
}

/** The part that this tab keeps. */
export function recallDraft(): void {
  const kept = note.read()
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
  })
}

recallDraft()
registerUserScope('checkout', { close: forgetDraft })
