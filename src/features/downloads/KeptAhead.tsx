import type { Holding } from '#device/inventory.ts'
import { bytes } from '#format/bytes.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import styles from './downloads.module.css'

/** Chapters that nobody asked for: kept for a while because they come next, and first to go. */
export function KeptAhead({ holdings }: { holdings: readonly Holding[] }) {
  return (
    <section aria-labelledby="kept-ahead">
      <Display as="h2" size="sm" id="kept-ahead">
        Saved ahead for what you’re listening to
      </Display>
      <ul role="list" className={styles.aheadList}>
        {holdings.map(({ title, files, bytes: held }) => (
          <li key={title.key} className={styles.aheadRow}>
            <span className={styles.aheadTitle}>{title.title}</span>
            <span className={styles.aheadNote}>
              {plural(files.length, 'chapter')}, {bytes(held)}
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.aheadNote}>
        The next chapters, in case your connection drops. They make way when space runs low.
      </p>
    </section>
  )
}
