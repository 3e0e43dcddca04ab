import { useRouter } from '@tanstack/react-router'
import { type PopUp, showPopUp } from './pop-up-store.ts'

/** Loads the forms on the first press. If that fails, `instead` leads to the same form on a page. */
export const loadPopUp = () => import('./AuthenticationPopUp.tsx')
export const openPopUp = (popUp: PopUp, instead?: () => unknown): void =>
  void loadPopUp().then(() => showPopUp(popUp), instead)

/** Asks a visitor to log in without leaving the page (ROLE-05). */
export function useLogInFirst(): () => void {
  const router = useRouter()
  return () =>
    openPopUp('log-in', () => router.navigate({ to: '/login', search: { from: router.state.location.href } }))
}
