import { useQuery } from '@tanstack/react-query'
import { searchMenuQuery } from '#features/home/queries.ts'
import { menuGroups } from './links.ts'
import { LinkList } from './NavLink.tsx'
import styles from './search-shortcuts.module.css'

/** The shop's two groups of links below an empty search (HDR-05). */
export function SearchShortcuts({ onFollow }: { onFollow?: () => void }) {
  const { data } = useQuery(searchMenuQuery())
  return (
    <nav aria-label="Search shortcuts" className={styles.groups}>
      {menuGroups(data ?? []).map(({ title, links }) => (
        <LinkList
          key={title}
          aria-label={title}
          links={links}
          linkClassName={styles.shortcut}
          {...(onFollow ? { onFollow } : {})}
        />
      ))}
    </nav>
  )
}
