import { useQuery } from '@tanstack/react-query'
import { searchMenuQuery } from '#features/home/queries.ts'
import { SearchPanel } from '#features/search/SearchPanel.tsx'
import { menuGroups } from '../menus/menu-links.ts'
import { SearchShortcuts } from './SearchShortcuts.tsx'

/** The search below the header, with books and articles as their features know them. Loaded when it is opened. */
export function HeaderSearch({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(searchMenuQuery())
  return (
    <SearchPanel
      shortcuts={<SearchShortcuts groups={menuGroups(data ?? [])} onClose={onClose} />}
      onClose={onClose}
    />
  )
}
