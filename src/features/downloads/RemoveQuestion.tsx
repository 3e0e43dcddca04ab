import { bytes } from '#format/bytes.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

interface RemoveQuestionProps {
  open: boolean
  of: string
  heldBytes: number
  /** False while it is still being downloaded. */
  whole: boolean
  onOpenChange: (open: boolean) => void
  onRemove: () => void
}

/** One press must not remove what took a while to download: offline, it cannot be fetched again. */
export function RemoveQuestion({ open, of, heldBytes, whole, onOpenChange, onRemove }: RemoveQuestionProps) {
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
            onRemove()
          }}
        >
          {whole ? 'Remove' : 'Stop and remove'}, {bytes(heldBytes)}
        </Button>
      }
    >
      <p>It stays in your library, and your place is kept. You can download it again any time.</p>
    </Dialog>
  )
}
