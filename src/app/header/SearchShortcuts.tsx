import type { MenuGroup } from '../menus/menu-links.ts'
import { LinkList } from '../menus/LinkList.tsx'
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
        <LinkList
          key={title}
          aria-label={title}
          links={links}
          linkClassName={styles.link}
          onFollow={onClose}
        />
      ))}
    </nav>
  )
}
