import { create } from 'zustand'

/** Its forms are fetched on the first press; where that fails, `instead` leads to the same form on a page. */
export const loadPopUp = () => import('./AuthenticationPopUp.tsx')
export const openPopUp = (popUp: PopUp, instead?: () => unknown): void =>
  void loadPopUp().then(() => showPopUp(popUp), instead)

/** The pop-ups of the account, of which one is open at most (AUTHUI-01). */
export type PopUp = 'log-in' | 'register' | 'forgot-password'

interface PopUpState {
  open: PopUp | null
  /** From the first time on: what closes is still there while it fades. */
  wanted: boolean
}

export const usePopUp = create<PopUpState>()(() => ({ open: null, wanted: false }))
export const showPopUp = (open: PopUp | null): void => usePopUp.setState({ open, wanted: true })
