import { HandbagIcon } from '@phosphor-icons/react/dist/csr/Handbag'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { shop } from '#features/shop-details/shop.ts'
import { Icon } from '#ui/Icon.tsx'
import { iconButtonClass } from '#ui/IconButton.tsx'
import { Wordmark } from '#ui/Wordmark.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { MainLinks, MenuLines } from '../header/Header.tsx'
import header from '../header/header.module.css'
import { LINKS_WITH_LIBRARY, MAIN_LINKS, TABS } from '../menus/links.ts'
import { NavLink } from '../menus/NavLink.tsx'
import { OfflineText, TabBar } from './AppShell.tsx'
import styles from './frame.module.css'

/**
 * Header and tabs of a page that the browser renders, in plain links, until its code has run. The server adds them to
 * such a page, and the service worker stores them for offline use. index.html decides who sees what of them, and adds
 * the title in progress to the home page.
 */
export const Opening = () => (
  <div className={styles.opening}>
    <header className={header.header} data-on-band={header.onBand}>
      <Wrap className={header.row}>
        <NavLink to="/" className={header.mark}>
          <Wordmark {...shop()} />
        </NavLink>
        <div className={styles.forVisitors}>
          <MainLinks links={MAIN_LINKS} />
        </div>
        <div className={styles.forUsers}>
          <MainLinks links={LINKS_WITH_LIBRARY} />
        </div>
        <NavLink to="/search-books" className={iconButtonClass()} aria-label="Search">
          <Icon of={MagnifyingGlassIcon} />
        </NavLink>
        <NavLink to="/shopping-bag" className={iconButtonClass()} aria-label="Shopping bag">
          <Icon of={HandbagIcon} />
        </NavLink>
        <NavLink to="/you" className={iconButtonClass()} aria-label="Account">
          <Icon of={UserIcon} />
        </NavLink>
        <span className={iconButtonClass()}>
          <MenuLines />
        </span>
      </Wrap>
      <div className={styles.forOffline}>
        <OfflineText />
      </div>
    </header>
    <div data-title-in-progress="" />
    <TabBar tabs={TABS} />
  </div>
)
