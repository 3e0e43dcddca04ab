import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MESSAGES } from '#contract/messages.ts'
import { authorsOf, coverOf } from '#features/catalogue/model.ts'
import { amount, toMinor } from '#format/money.ts'
import { LinkButton } from '#ui/Button.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { PanelBelow } from '#ui/PanelBelow.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './bag.module.css'
import { bagWords, bookOf, itemsWords } from './model.ts'
import { bagQuery } from './queries.ts'
import { useBagHolder } from './store.ts'

const MOST = 4

/** A panel below the header with the bag's contents and a link to it (HDR-09). */
export function BagPanel({ onClose }: { onClose: () => void }) {
  const { data: cart, isLoading, isError } = useQuery(bagQuery(useBagHolder()))
  const items = cart?.items ?? []
  return (
    <PanelBelow>
      <Wrap className={styles.inner}>
        <Display as="h2" size="sm">
          Your bag
        </Display>
        {items.length === 0 ? (
          <p aria-busy={isLoading}>
            {isLoading
              ? 'Loading your bag'
              : isError
                ? 'We can’t load your bag just now.'
                : 'Nothing in it yet.'}
          </p>
        ) : (
          <>
            <ul role="list" className={styles.items}>
              {items.slice(0, MOST).map((item) => {
                const book = bookOf(item)
                return (
                  book && (
                    <li key={item.uuid}>
                      <Cover picture={coverOf(book)} alt="" sizes="64px" thumb dim={!item.available} />
                      <Link
                        to={book.entityType === 'audioBook' ? '/audiobooks/$slug' : '/ebooks/$slug'}
                        params={{ slug: book.slug }}
                        onClick={onClose}
                      >
                        {book.title}
                      </Link>
                      {item.available && (
                        <span className={styles.price}>
                          {amount(toMinor(item.discountPrice ?? item.price))}
                        </span>
                      )}
                      <p className={styles.by}>
                        {item.available
                          ? authorsOf(book)
                          : item.geoBlocked
                            ? MESSAGES.notAvailableInRegion
                            : MESSAGES.notAvailable}
                      </p>
                    </li>
                  )
                )
              })}
            </ul>
            <p>{cart && (cart.checkedAt === undefined ? bagWords(cart) : itemsWords(cart))}</p>
          </>
        )}
        <LinkButton to="/shopping-bag" look="solid" onClick={onClose}>
          Checkout
        </LinkButton>
      </Wrap>
    </PanelBelow>
  )
}
