import { create } from 'zustand'
import { belongsToPerson } from '#session/person.ts'
import { tabNote } from '#session/tab-note.ts'

/** Text typed at the checkout: a refused card, a reload or the way to PayPal must not cost anybody their address. */
export interface CheckoutDraft {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly cardholder: string
  readonly countryCode: string
}

const NOTHING: CheckoutDraft = { email: '', firstName: '', lastName: '', cardholder: '', countryCode: '' }
const note = tabNote('tillDraft')

/** Never the password. */
export const useCheckoutDraft = create<CheckoutDraft>()(() => NOTHING)

export function writeDraft(typed: CheckoutDraft): void {
  useCheckoutDraft.setState(typed)
  note.write(typed)
}

export function forgetDraft(): void {
  note.forget()
  useCheckoutDraft.setState(NOTHING)
}

/** The part that this tab keeps. */
export function recallDraft(): void {
  const kept = note.read()
  if (!kept) return
  const text = (name: keyof CheckoutDraft) => (typeof kept[name] === 'string' ? kept[name] : '')
  useCheckoutDraft.setState({
    email: text('email'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    cardholder: text('cardholder'),
    countryCode: text('countryCode'),
  })
}

recallDraft()
belongsToPerson('checkout', { close: forgetDraft })
