import { bytes } from '#format/bytes.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

interface RemoveQuestionProps {
  open: boolean
  of: string
  heldBytes: number
  onOpenChange: (open: boolean) => void
  onRemove: () => void
}

/** One press must not remove what took a while to download: offline, it cannot be fetched again. */
export function RemoveQuestion({ open, of, heldBytes, onOpenChange, onRemove }: RemoveQuestionProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove ${of} from this device?`}
      closeLabel="Keep it"
      actions={
        <Button
          look="danger"
          onClick={() => {
            onOpenChange(false)
            onRemove()
          }}
        >
          Remove, {bytes(heldBytes)}
        </Button>
      }
    >
      <p>It stays in your library, and your place is kept. You can download it again any time.</p>
    </Dialog>
  )
}
