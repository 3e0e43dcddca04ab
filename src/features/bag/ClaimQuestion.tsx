import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

interface ClaimQuestionProps {
  title: string
  onAnswer: (claim: boolean) => void
}

/** A credit is spent once and for good, so it is asked once. */
export function ClaimQuestion({ title, onAnswer }: ClaimQuestionProps) {
  return (
    <Dialog
      open
      onOpenChange={() => onAnswer(false)}
      title={`Use 1 credit for ${title}?`}
      closeLabel="Not now"
      actions={
        <Button look="beak" onClick={() => onAnswer(true)}>
          Use 1 credit
        </Button>
      }
    >
      The book goes straight into your library and is yours to keep. The credit can’t be given back.
    </Dialog>
  )
}
