import { BirdIcon } from '@phosphor-icons/react/dist/csr/Bird'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CompassIcon } from '@phosphor-icons/react/dist/csr/Compass'
import { HouseIcon } from '@phosphor-icons/react/dist/csr/House'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Icon } from '#ui/Icon.tsx'
import { NavLink } from './NavLink.tsx'
import styles from './TabBar.module.css'

export interface TabBarProps {
  /** Where "You" leads: the account's pages, or the log-in. */
  youTo?: string | undefined
}

/** Phones only. `data-bar` lets the shell keep room for it at the page's end. */
export function TabBar({ youTo = '/settings' }: TabBarProps) {
  return (
    <nav className={styles.tabs} aria-label="Sections" data-bar="tabs">
      {TABS.map(({ label, to, icon }) => (
        <NavLink key={label} to={to ?? youTo} exact={to === '/'} className={styles.tab}>
          {({ isActive }) => (
            <>
              <Icon of={icon} filled={isActive} />
              {label}
            </>
          )}
        </NavLink>
      ))}
    </nav>
  )
}

const TABS = [
  { label: 'Home', to: '/', icon: HouseIcon },
  { label: 'Browse', to: '/browse', icon: CompassIcon },
  { label: 'Library', to: '/library', icon: BooksIcon },
  { label: 'Journal', to: '/murmurations', icon: BirdIcon },
  { label: 'You', to: undefined, icon: UserIcon },
]
