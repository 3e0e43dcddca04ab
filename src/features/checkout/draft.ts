import { create } from 'zustand'

/** What was typed at the till, as long as this page lives: a refused card must not cost anybody their address. */
export interface TillDraft {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly cardholder: string
  readonly countryCode: string
}

const NOTHING: TillDraft = { email: '', firstName: '', lastName: '', cardholder: '', countryCode: '' }

/** Never the password. */
export const useTillDraft = create<TillDraft>()(() => NOTHING)

export const forgetDraft = (): void => useTillDraft.setState(NOTHING)
