import { useRouter } from '@tanstack/react-router'
import { openPopUp } from '#app/pop-ups/authentication.ts'

/** Asks a visitor to log in without leaving the page (ROLE-05). */
export function useLogInFirst(): () => void {
  const router = useRouter()
  return () =>
    openPopUp('log-in', () => router.navigate({ to: '/login', search: { from: router.state.location.href } }))
}
