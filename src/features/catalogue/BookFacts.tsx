import { Link } from '@tanstack/react-router'
import type { Book } from '#contract/catalogue.ts'
import { price, toMinor } from '#format/money.ts'
import styles from './book-details.module.css'
import { lengthOf, linkTo } from './model.ts'

/** Facts that people ask a bookseller for: translator, publisher, the other format. */
export function BookFacts({ book }: { book: Book }) {
  const other = book.eBook ?? book.audioBook
  const otherIsEBook = book.eBook !== null
  if (!book.translator && !book.publisher && !other && !book.publisherBookLink) return null
  return (
    <dl className={styles.facts}>
      {book.translator && (
        <div>
          <dt>Translated by</dt>
          <dd>{book.translator.fullName}</dd>
        </div>
      )}
      {book.publisher && (
        <div>
          <dt>Publisher</dt>
          <dd>
            <Link to="/publishers/$slug" params={{ slug: book.publisher.slug }}>
              {book.publisher.name}
            </Link>
          </dd>
        </div>
      )}
      {other && (
        <div>
          <dt>{otherIsEBook ? 'Also an e-book' : 'Also an audiobook'}</dt>
          <dd>
            <Link {...linkTo({ entityType: otherIsEBook ? 'eBook' : 'audioBook', slug: other.slug })}>
              {[
                other.price === 0 ? 'Free' : price(toMinor(other.price)),
                lengthOf({ entityType: otherIsEBook ? 'eBook' : 'audioBook', ...other }),
              ]
                .filter(Boolean)
                .join(', ')}
            </Link>
          </dd>
        </div>
      )}
      {book.publisherBookLink && (
        <div>
          <dt>On paper</dt>
          <dd>
            <a href={book.publisherBookLink} rel="noopener external">
              {book.publisherBookName ?? 'Buy the physical book'}
            </a>
          </dd>
        </div>
      )}
    </dl>
  )
}
