import type { ReactNode } from 'react'
import { useSession } from '#session/store.ts'
import { GoInstead } from '#app/problems/GoInstead.tsx'

interface MembersOnlyProps {
  children: ReactNode
  /** Also allow a session that has expired: the device still holds that user's downloads (ROLE-16). */
  evenEnded?: boolean
}

/**
 * Guards a screen that needs an account: visitors see an explanation and return here after the log-in (OP-02). A user
 * whose session expired goes straight to the log-in (SESS-09).
 */
export function MembersOnly({ children, evenEnded }: MembersOnlyProps) {
  const ready = useSession((state) => state.ready)
  const status = useSession((state) => state.status)
  if (!ready) return <div aria-busy="true" />
  if (status === 'user' || (evenEnded && status === 'ended')) return children
  return <GoInstead to={status === 'ended' ? '/login' : '/access-denied'} />
}
