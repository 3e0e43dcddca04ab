import { Sheet } from '#ui/Sheet.tsx'
import { EarlierPlaces } from './EarlierPlaces.tsx'

interface HistorySheetProps {
  slug: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

export const HistorySheet = ({ slug, open, onOpenChange }: HistorySheetProps) => (
  <Sheet open={open} onOpenChange={onOpenChange} title="Listening history">
    <EarlierPlaces slug={slug} onDone={() => onOpenChange(false)} />
  </Sheet>
)
