import type { Highlight } from '#storage/places-db.ts'
import { Button } from '#ui/Button.tsx'
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
  highlights: readonly Highlight[]
  onSearch: () => void
}

export function ContentsSheet({
  open,
  onOpenChange,
  scheme,
  contents,
  current,
  onChoose,
  highlights,
  onSearch,
}: ContentsSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} style={paperStyle(scheme)} title="Contents">
      <Button look="quiet" className={styles.searchHere} onClick={onSearch}>
        Search in this book
      </Button>
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
      {highlights.length > 0 && (
        <section aria-labelledby="highlights" className={styles.highlights}>
          <h3 id="highlights" className={styles.highlightsTitle}>
            Highlights
          </h3>
          <ol role="list" className={styles.contents}>
            {highlights.map(({ id, locator, quote, note }) => (
              <li key={id}>
                <button type="button" className={styles.entry} onClick={() => onChoose(locator)}>
                  <span className={styles.words}>{quote}</span>
                  {note && <span className={styles.noted}>{note}</span>}
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Sheet>
  )
}
