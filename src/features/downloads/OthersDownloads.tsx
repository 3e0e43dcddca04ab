import { useEffect, useState } from 'react'
import { measureOthersSound, removeOthersSound } from '#storage/others-sound.ts'
import { bytes } from '#format/bytes.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Display } from '#ui/Display.tsx'
import { toast } from '#ui/toast.ts'
import styles from './downloads.module.css'

/** Shows the space that other users' downloads take, and lets the current user free it. Never shows owners or titles. */
export function OthersDownloads() {
  const ownerUuid = useSession((state) => state.owner?.uuid)
  const [held, setHeld] = useState(0)
  const [asking, setAsking] = useState(false)
  useEffect(() => {
    let isOver = false
    if (ownerUuid)
      void measureOthersSound(ownerUuid).then(
        (measured) => !isOver && setHeld(measured),
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [ownerUuid])
  if (!ownerUuid || held === 0) return null

  const remove = async () => {
    setAsking(false)
    try {
      await removeOthersSound(ownerUuid)
      announce(`${bytes(held)} freed`)
      setHeld(0)
    } catch {
      toast('Some downloads could not be removed. Please try again.')
    }
  }
  return (
    <section className="stack gap-3" aria-labelledby="others-downloads">
      <Display as="h2" size="sm" id="others-downloads">
        Other people’s downloads: {bytes(held)}
      </Display>
      <p className={styles.aheadNote}>
        Saved by other people who’ve used this device. You can’t see what they are, but you can free up the
        space.
      </p>
      <p>
        <Button look="quiet" onClick={() => setAsking(true)}>
          Remove their downloads
        </Button>
      </p>
      <Dialog
        low
        open={asking}
        onOpenChange={setAsking}
        title="Remove other people’s downloads?"
        closeLabel="Keep them"
        actions={
          <Button look="danger" onClick={() => void remove()}>
            Remove, {bytes(held)}
          </Button>
        }
      >
        <p>They can download them again. Their libraries and places stay as they are.</p>
      </Dialog>
    </section>
  )
}
