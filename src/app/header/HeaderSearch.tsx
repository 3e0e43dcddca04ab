import { SearchPanel } from '#features/search/SearchPanel.tsx'
import { SearchShortcuts } from '../menus/SearchShortcuts.tsx'

/** The search panel, lazy-loaded, with the book and article features' own results. */
export const HeaderSearch = ({ onClose }: { onClose: () => void }) => (
  <SearchPanel shortcuts={<SearchShortcuts onFollow={onClose} />} onClose={onClose} />
)
