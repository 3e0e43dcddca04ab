import { useState } from 'react'
import { useOnline } from '#net/use-online.ts'
import { logOut } from '#session/log-out.ts'
import { currentOwner } from '#session/store.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { toast } from '#ui/toast.ts'

interface LogOutDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  onLeft?: () => void
}

/** Says what stays on the device and, offline, what will be out of reach until the next connection. */
export function LogOutDialog({ open, onOpenChange, onLeft }: LogOutDialogProps) {
  const online = useOnline()
  const [busy, setBusy] = useState<'keep' | 'remove'>()

  const leave = async (downloads: 'keep' | 'remove') => {
    setBusy(downloads)
    const uuid = currentOwner()
    await logOut()
    if (downloads === 'remove' && uuid) await removeDownloadsOf(uuid)
    setBusy(undefined)
    onOpenChange(false)
    onLeft?.()
  }
  return (
    <Dialog
      low
      open={open}
      onOpenChange={onOpenChange}
      title={online ? 'Log out of this device?' : 'Log out while you’re offline?'}
      closeLabel={online ? 'Close' : 'Stay logged in'}
      actions={
        <>
          <Button
            look="text"
            busy={busy === 'remove'}
            disabled={busy === 'keep'}
            onClick={() => void leave('remove')}
          >
            Log out and remove downloads
          </Button>
          <Button
            look={online ? 'solid' : 'quiet'}
            busy={busy === 'keep'}
            disabled={busy === 'remove'}
            onClick={() => void leave('keep')}
          >
            Log out
          </Button>
        </>
      }
    >
      {online ? (
        <p>Your places are kept. Downloads stay on this device for you alone, unless you remove them now.</p>
      ) : (
        <p>
          You can’t log back in without a connection. Until you have one, your library and the books saved on
          this device are out of reach. Nothing is lost: your places and notes are sent when you next log in
          here.
        </p>
      )}
    </Dialog>
  )
}

async function removeDownloadsOf(uuid: string) {
  try {
    const { removeAllSound } = await import('#storage/sound-store.ts')
    await removeAllSound(uuid)
  } catch {
    toast('Some downloads could not be removed. Clear this site’s data in your browser to be sure.')
  }
}
