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

/** A tunnel gives nothing back: what took a while to fetch is not removed by one press. */
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
