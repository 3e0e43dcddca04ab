import type { PageDetails } from '#contract/shop-details.ts'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './banners.module.css'
import { NavLink } from '../menus/NavLink.tsx'

/** The quietest banner, above the header: it leaves with the first scroll and needs no closing (HDR-11). */
export function OwnersBanner({ words, link, url }: NonNullable<PageDetails['banner']>) {
  return (
    <aside className={styles.banner} aria-label={words.replace(':', '')}>
      <Wrap className={styles.cardLine}>
        <NavLink to={url} className={styles.link}>
          <span>
            {words} <u>{link}</u>
          </span>
        </NavLink>
      </Wrap>
    </aside>
  )
}
