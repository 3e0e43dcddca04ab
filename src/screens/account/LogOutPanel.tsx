import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { logOut } from '#session/session.ts'
import { currentOwner, useSession } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import styles from './account.module.css'

const Dialog = lazy(async () => ({ default: (await import('#ui/Dialog.tsx')).Dialog }))

/** Logging out: downloads stay hidden on the device, unless the listener removes them. */
export function LogOutPanel() {
  const navigate = useNavigate()
  const user = useSession((state) => state.user)
  const owner = useSession((state) => state.owner)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)

  const leave = async (removeDownloads: boolean) => {
    setBusy(true)
    const uuid = currentOwner()
    await logOut()
    if (removeDownloads && uuid) await removeOf(uuid)
    setAsking(false)
    await navigate({ to: '/' })
  }

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
          <Dialog
            open={asking}
            onOpenChange={setAsking}
            title="Log out of this device?"
            actions={
              <>
                <Button look="solid" busy={busy} onClick={() => void leave(false)}>
                  Log out
                </Button>
                <Button look="text" disabled={busy} onClick={() => void leave(true)}>
                  Log out and remove downloads
                </Button>
              </>
            }
          >
            <p>
              Your places are kept. Downloads stay on this device for you alone, unless you remove them now.
            </p>
          </Dialog>
        </Suspense>
      )}
    </div>
  )
}

async function removeOf(uuid: string) {
  try {
    const { removeDownloadsOf } = await import('#features/downloads/downloads.ts')
    await removeDownloadsOf(uuid)
  } catch {
    toast('Some downloads could not be removed. Clear this site’s data in your browser to be sure.')
  }
}
