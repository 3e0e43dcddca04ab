import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CompassIcon } from '@phosphor-icons/react/dist/csr/Compass'
import { HouseIcon } from '@phosphor-icons/react/dist/csr/House'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import type { ShellLink } from './shell/shell-link.ts'
import type { Tab } from './shell/TabBar.tsx'

export const HEADER_LINKS: readonly ShellLink[] = [
  { label: 'Audiobooks', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'E-books', to: '/ebooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'Library', to: '/library' },
]

/** Where 'You' leads: the account's pages, or the log-in. */
export const tabsFor = (youTo: '/settings' | '/login'): readonly Tab[] => [
  { label: 'Home', to: '/', icon: HouseIcon },
  { label: 'Browse', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 }, icon: CompassIcon },
  { label: 'Library', to: '/library', icon: BooksIcon },
  { label: 'You', to: youTo, icon: UserIcon },
]

export const FOOTER_COLUMNS = [
  {
    title: 'Shelves',
    links: [
      { label: 'Audiobooks', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 } },
      { label: 'E-books', to: '/ebooks', search: { page: 1, itemsPerPage: 12 } },
    ],
  },
  {
    title: 'Yours',
    links: [
      { label: 'Library', to: '/library' },
      { label: 'Downloads', to: '/downloads' },
      { label: 'Settings', to: '/settings' },
    ],
  },
] satisfies readonly { title: string; links: readonly ShellLink[] }[]
