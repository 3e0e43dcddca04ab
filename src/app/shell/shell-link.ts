/** A place in the shop, as data: header, footer and tabs draw it. */
export interface ShellLink {
  label: string
  to: string
  search?: Record<string, string | number> | undefined
  /** From the menu data (HDR-15). */
  italic?: boolean | undefined
}

/** The five of the header (HDR-01). */
export const MAIN_LINKS: readonly ShellLink[] = [
  { label: 'Browse', to: '/browse' },
  { label: 'Audiobooks', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'Editions', to: '/editions', search: { _page: 1, itemsPerPage: 5 } },
  { label: 'Murmurations', to: '/murmurations' },
  { label: 'Membership', to: '/subscription' },
]
