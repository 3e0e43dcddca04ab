import type { ShellLink } from './shell/shell-link.ts'

export const HEADER_LINKS: readonly ShellLink[] = [
  { label: 'Audiobooks', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'E-books', to: '/ebooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'Library', to: '/library' },
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
