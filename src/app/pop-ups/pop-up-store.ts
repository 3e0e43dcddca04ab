import { create } from 'zustand'

/** The account's pop-ups; at most one is open (AUTHUI-01). */
export type PopUp = 'log-in' | 'register' | 'forgot-password' | 'prove'

interface PopUpState {
  open: PopUp | null
  /** True from the first time on, so that a closed pop-up can fade out. */
  wanted: boolean
}

export const usePopUp = create<PopUpState>()(() => ({ open: null, wanted: false }))
export const showPopUp = (open: PopUp | null): void => usePopUp.setState({ open, wanted: true })
