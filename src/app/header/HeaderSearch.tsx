import { useQuery } from '@tanstack/react-query'
import { searchMenuQuery } from '#features/home/queries.ts'
import { SearchPanel } from '#features/search/SearchPanel.tsx'
import { menuGroups, type MenuGroup } from '../menus/links.ts'
import { LinkList } from '../menus/NavLink.tsx'
import styles from './header.module.css'

/** The search panel, lazy-loaded, with the book and article features' own results. */
export function HeaderSearch({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(searchMenuQuery())
  return (
    <SearchPanel
      shortcuts={<SearchShortcuts groups={menuGroups(data ?? [])} onClose={onClose} />}
      onClose={onClose}
    />
  )
}

interface SearchShortcutsProps {
  groups: readonly MenuGroup[]
  onClose: () => void
}

/** The shop's two groups of links below an empty search (HDR-05). */
function SearchShortcuts({ groups, onClose }: SearchShortcutsProps) {
  return (
    <nav aria-label="Search shortcuts" className={styles.groups}>
      {groups.map(({ title, links }) => (
        <LinkList
          key={title}
          aria-label={title}
          links={links}
          linkClassName={styles.shortcut}
          onFollow={onClose}
        />
      ))}
    </nav>
  )
}
