import type { Book } from '#contract/catalogue.ts'
import { Dialog } from '#ui/Dialog.tsx'
import styles from './catalogue.module.css'

interface NoDownloadProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** BOOK-18. */
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

interface SampleTextProps {
  book: Book
  text: string
  onClose: () => void
}

/** BOOK-07. Plain text; an empty line separates paragraphs. */
export function SampleText({ book, text, onClose }: SampleTextProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={<>From {book.title}</>}>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled text must be reached by keys */}
      <div className={styles.text} tabIndex={0} role="region" aria-label="Sample">
        {text.split(/\n\s*\n/).map((paragraph, index) => (
          <p key={index}>{paragraph}</p>
        ))}
      </div>
    </Dialog>
  )
}
