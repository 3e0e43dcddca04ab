import { type PopUp, showPopUp } from './pop-up-store.ts'

/** Its forms come with the first press; where they cannot be fetched, `instead` leads to the page of the same. */
export const loadPopUp = () => import('./AuthenticationPopUp.tsx')
export const openPopUp = (popUp: PopUp, instead?: () => unknown): void =>
  void loadPopUp().then(() => showPopUp(popUp), instead)
