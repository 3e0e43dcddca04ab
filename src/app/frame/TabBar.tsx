import { Icon, type IconProps } from '#ui/Icon.tsx'
import { NavLink } from '../menus/NavLink.tsx'
import type { ShellLink } from '../menus/shell-link.ts'
import styles from './frame.module.css'

export interface Tab extends ShellLink {
  icon: IconProps['of']
}

/** Phones only. `data-bar` lets the shell keep room for it at the page's end. */
export function TabBar({ tabs }: { tabs: readonly Tab[] }) {
  return (
    <nav className={styles.tabs} aria-label="Sections" data-bar="tabs">
      {tabs.map(({ label, to, search, also, icon }) => (
        <NavLink key={label} to={to} search={search} also={also} exact={to === '/'} className={styles.tab}>
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
