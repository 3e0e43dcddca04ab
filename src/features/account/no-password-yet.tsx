import { Suspense } from 'react'
import { useSession } from '#session/store.ts'
import { lazyPart } from '#ui/lazy-part.tsx'

const ChoosePassword = lazyPart(() => import('./ChoosePassword.tsx'), 'ChoosePassword')

/** Offers to choose a password to an account without one, otherwise nothing. */
export function NoPasswordYet() {
  const user = useSession((state) => state.user)
  return (
    user?.withoutPassword && (
      <Suspense>
        <ChoosePassword owner={user.uuid} email={user.email} />
      </Suspense>
    )
  )
}
