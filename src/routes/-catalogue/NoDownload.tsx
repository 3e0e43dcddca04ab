import { Dialog } from '#ui/Dialog.tsx'

interface NoDownloadProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** BOOK-18: says why an owned e-book opens nowhere. */
export function NoDownload({ open, onOpenChange }: NoDownloadProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="This e-book has no file to open.">
      <p>
        Its publisher hasn’t given us a file yet. It stays in your library, and will open here as soon as they
        do.
      </p>
    </Dialog>
  )
}
