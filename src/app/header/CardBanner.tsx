import { Wrap } from '#ui/Wrap.tsx'
import styles from './banners.module.css'
import { NavLink } from '../menus/NavLink.tsx'

/** The quietest banner, above the header: it leaves with the first scroll and needs no closing (HDR-11). */
export function CardBanner() {
  return (
    <aside className={styles.banner} aria-label="Audiobooks in a card">
      <Wrap className={styles.cardLine}>
        <NavLink to="/info/audiobook-in-a-card" className={styles.link}>
          <span>
            An audiobook in a card: <u>a present you can hold</u>
          </span>
        </NavLink>
      </Wrap>
    </aside>
  )
}
