import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CartMember } from '#contract/bag.ts'
import { MESSAGES } from '#contract/messages.ts'
import { amount, toMinor } from '#format/money.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Cover, type CoverPicture } from '#ui/Cover.tsx'
import { useWrite } from '../../writes/use-write.ts'
import styles from './BagItem.module.css'
import { bookOf } from './model.ts'

interface BagItemProps {
  item: CartMember
  picture: CoverPicture
  /** Rejects where it is still there. */
  onRemove: () => Promise<unknown>
  /** The gift's fields; not offered for what cannot be bought. */
  children?: ReactNode
}

export function BagItem({ item, picture, onRemove, children }: BagItemProps) {
  const book = bookOf(item)
  const { write, busy, refusal } = useWrite(onRemove, {
    onSuccess: () => announce(`${book?.title} has been removed from your bag.`),
    message: () => 'It’s still in your bag. Check your connection and try again.',
  })
  if (!book) return null

  return (
    <li className={styles.item} aria-busy={busy}>
      <span className={styles.cover}>
        <Cover picture={picture} alt="" sizes="96px" thumb dim={!item.available} />
      </span>
      <div>
        <h2 className={styles.title}>
          <Link to={item.audioBook ? '/audiobooks/$slug' : '/ebooks/$slug'} params={{ slug: book.slug }}>
            {book.title}
          </Link>
        </h2>
        <p className={styles.kind}>
          {item.audioBook ? 'Audiobook' : 'E-book'}, {book.authors.map(({ fullName }) => fullName).join(', ')}
        </p>
        {!item.available && (
          <p className={styles.blocked}>
            {item.geoBlocked ? MESSAGES.notAvailableInRegion : MESSAGES.notAvailable}
          </p>
        )}
      </div>
      {item.available && (
        <p className={styles.price}>
          {item.discountPrice !== null && item.discountPrice < item.price && (
            <s className="quiet">{amount(toMinor(item.price))}</s>
          )}
          <b>{amount(toMinor(item.discountPrice ?? item.price))}</b>
        </p>
      )}
      <div className={styles.below}>
        {item.available && children}
        <Button look="text" busy={busy} aria-label={`Remove ${book.title}`} onClick={() => void write()}>
          Remove
        </Button>
        {refusal && (
          <p className={styles.failed} role="alert">
            {refusal}
          </p>
        )}
      </div>
    </li>
  )
}
