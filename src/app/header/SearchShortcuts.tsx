import type { MenuGroup } from '../menus/menu-links.ts'
import { NavLink } from '../menus/NavLink.tsx'
import styles from './SearchShortcuts.module.css'

interface SearchShortcutsProps {
  groups: readonly MenuGroup[]
  onClose: () => void
}

/** Links that many take from the search without typing, in the owner's two groups (HDR-05). */
export function SearchShortcuts({ groups, onClose }: SearchShortcutsProps) {
  return (
    <nav aria-label="Search shortcuts" className={styles.groups}>
      {groups.map(({ title, links }) => (
        <ul key={title} role="list" aria-label={title}>
          {links.map((link) => (
            <li key={link.label}>
              <NavLink to={link.to} search={link.search} className={styles.link} onClick={onClose}>
                {link.italic ? <i>{link.label}</i> : link.label}
              </NavLink>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}
