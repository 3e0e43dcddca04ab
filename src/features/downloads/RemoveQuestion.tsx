import type { TitleKey } from '#storage/title-key.ts'
import { bytes } from '#format/bytes.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { toast } from '#ui/toast.ts'
import { removeDownload, startDownload } from './lazy.ts'
import { explainFailure } from './press-download.ts'
import { useDownload } from './store.ts'

interface RemoveQuestionProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  titleKey: TitleKey
  of: string
}

/** Ask first, because a removed download cannot be fetched again offline. */
export function RemoveQuestion({ open, onOpenChange, titleKey: key, of }: RemoveQuestionProps) {
  const { state, bytes: held } = useDownload(key)
  const whole = state === 'done'
  const remove = async () => {
    await removeDownload(key)
    toast(`${of} is no longer on this device`, {
      action: { label: 'Download again', onPress: () => void startDownload(key).catch(explainFailure) },
    })
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={whole ? `Remove ${of} from this device?` : `Stop downloading ${of}?`}
      closeLabel={whole ? 'Keep it' : 'Keep going'}
      actions={
        <Button
          look="danger"
          onClick={() => {
            onOpenChange(false)
            void remove()
          }}
        >
          {whole ? 'Remove' : 'Stop and remove'}, {bytes(held)}
        </Button>
      }
    >
      <p>It stays in your library, and your place is kept. You can download it again any time.</p>
    </Dialog>
  )
}
