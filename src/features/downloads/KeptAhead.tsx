import type { Holding } from '#storage/inventory.ts'
import { formatOfKey } from '#storage/title-key.ts'
import { bytes } from '#format/bytes.ts'
import { plural } from '#format/plural.ts'
import { Button } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { removeDownload } from './lazy.ts'
import styles from './downloads.module.css'

/** Automatic downloads: the next chapters and opened e-books, kept for a while and removed first. */
export function KeptAhead({ holdings }: { holdings: readonly Holding[] }) {
  return (
    <section aria-labelledby="kept-ahead">
      <Display as="h2" size="sm" id="kept-ahead">
        Saved for what you’re listening to and reading
      </Display>
      <ul role="list" className={styles.aheadList}>
        {holdings.map(({ title, files, bytes: held }) => (
          <li key={title.key} className={styles.aheadRow}>
            <span className={styles.aheadTitle}>
              {title.title}{' '}
              <span className={styles.aheadNote}>
                {formatOfKey(title.key) === 'ebook' ? 'E-book' : plural(files.length, 'chapter')},{' '}
                {bytes(held)}
              </span>
            </span>
            <Button
              look="text"
              aria-label={`Remove ${title.title}`}
              onClick={() => void removeDownload(title.key)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.aheadNote}>
        The next chapters and the books you have open, in case your connection drops. They make way when space
        runs low.
      </p>
    </section>
  )
}
