import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import { useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import styles from './account.module.css'

const LogOutDialog = lazyPart(() => import('#features/account/LogOutDialog.tsx'), 'LogOutDialog')

/** Logging out: downloads stay hidden on the device, unless the listener removes them. */
export function LogOutPanel() {
  const navigate = useNavigate()
  const user = useSession((state) => state.user)
  const owner = useSession((state) => state.owner)
  const [asking, setAsking] = useState(false)

  return (
    <div className={styles.panel}>
      <p>
        {owner?.fullName}
        {user && <>, {user.email}</>}
      </p>
      <Button look="quiet" onClick={() => setAsking(true)}>
        Log out
      </Button>
      {asking && (
        <Suspense>
          <LogOutDialog open={asking} onOpenChange={setAsking} onLeft={() => void navigate({ to: '/' })} />
        </Suspense>
      )}
    </div>
  )
}
