import type { Gift } from '#contract/gifts.ts'
import { Cover } from '#ui/Cover.tsx'
import type { CoverPicture } from '#ui/cover-picture.ts'
import { Display } from '#ui/Display.tsx'
import styles from './GiftNote.module.css'

/** The book, who gave it, and their words as they were written: text, never markup. */
export function GiftNote({ gift, picture }: { gift: Gift; picture: CoverPicture }) {
  const book = gift.audioBook ?? gift.eBook
  if (!book) return null
  return (
    <section className={styles.gift} aria-label="Your gift">
      <Cover picture={picture} alt={book.coverAlt} sizes="160px" className={styles.cover} />
      <div className={styles.words}>
        <Display as="h2" size="sm">
          {book.title}
        </Display>
        {gift.giverName && <p>From {gift.giverName}</p>}
        {gift.giftMessage && <blockquote className={styles.message}>{gift.giftMessage}</blockquote>}
      </div>
    </section>
  )
}
