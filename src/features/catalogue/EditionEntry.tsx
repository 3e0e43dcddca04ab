import { Link } from '@tanstack/react-router'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import styles from './entries.module.css'
import { authorsOf, coverOf, lengthOf, linkTo, narratorsOf } from './model.ts'

interface EditionEntryProps {
  book: AudioBookCard
  /** In the first view. */
  eager?: boolean
}

/** One edition, with room around it: five of them are a page. */
export function EditionEntry({ book, eager }: EditionEntryProps) {
  const narrators = narratorsOf(book)
  return (
    <Link {...linkTo(book)} state={{ withBack: true }} className={styles.entry}>
      <Cover picture={coverOf(book)} alt="" sizes="(min-width: 768px) 240px, 40vw" lift eager={eager} />
      <div>
        {book.style && <p className={styles.style}>{book.style.title}</p>}
        <Display as="h2" size="md">
          {book.title}
        </Display>
        <p className={styles.by}>
          {authorsOf(book)}
          {narrators && <span>Read by {narrators}</span>}
        </p>
        <p className={styles.length}>{lengthOf(book)}</p>
      </div>
    </Link>
  )
}
