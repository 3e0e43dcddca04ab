import { Sheet } from '#ui/Sheet.tsx'
import { paperStyle } from './book-styles.ts'
import type { ContentsEntry, Scheme } from './model.ts'
import styles from './reading.module.css'

interface ContentsSheetProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The paper of the book, which the sheet takes too: it stands outside of the page. */
  scheme: Scheme
  contents: readonly ContentsEntry[]
  /** The entry that is being read. */
  current: string | null
  onChoose: (href: string) => void
}

export function ContentsSheet({
  open,
  onOpenChange,
  scheme,
  contents,
  current,
  onChoose,
}: ContentsSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Contents">
      {contents.length === 0 && <p>This book has no table of contents.</p>}
      <ol role="list" className={styles.contents}>
        {contents.map(({ label, href, depth }, index) => (
          <li key={`${index} ${href}`}>
            <button
              type="button"
              className={styles.entry}
              data-depth={Math.min(depth, 2)}
              aria-current={href === current ? 'location' : undefined}
              onClick={() => onChoose(href)}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}
