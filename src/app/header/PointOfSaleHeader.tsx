import { Link } from '@tanstack/react-router'
import { shop } from '#features/shop-details/shop.ts'
import { logOut } from '#session/log-out.ts'
import { useSession } from '#session/store.ts'
import { Wordmark } from '#ui/Wordmark.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { UpdateNotice } from './OfflineBadge.tsx'
import styles from './header.module.css'

/** The booksellers' header: the shop's name, the bookshop's name, and logout (NAV-57). */
export function PointOfSaleHeader() {
  const signedIn = useSession((state) => state.status === 'user')
  const bookshop = useSession((state) => state.user?.outlet?.name)
  return (
    <header>
      <Wrap className={styles.deskRow}>
        {/* A bookshop's account has no other home page. */}
        <Link className={styles.deskMark} to={bookshop ? '/activation' : '/'}>
          <Wordmark {...shop()} />
        </Link>
        {bookshop && <p className={styles.bookshop}>{bookshop}</p>}
        {signedIn && (
          <button type="button" className={styles.out} onClick={() => void logOut()}>
            Log out
          </button>
        )}
      </Wrap>
      <div role="status">
        <UpdateNotice />
      </div>
    </header>
  )
}
