import { shop } from '#features/shop-details/shop.ts'
import type { IconProps } from '#ui/Icon.tsx'

/** A place in the shop, as data: header, footer and tabs draw it. */
export interface ShellLink {
  label: string
  to: string
  search?: Record<string, string | number> | undefined
  /** Addresses below which it is current too: a section's pages that have addresses of their own. */
  also?: readonly string[] | undefined
  /** Only where there is room for one more word; the icon stands for it where there is not. */
  wide?: IconProps['of'] | undefined
  /** From the menu data (HDR-15). */
  italic?: boolean | undefined
}

/** Addresses of the journal's pages (NAV-14). */
export const JOURNAL = ['/articles', '/interviews', '/discussions'] as const
/** The shelves of the shop; the phone's tabs have room for one of them. */
export const SHELVES = [
  '/audiobooks',
  '/ebooks',
  '/editions',
  '/publishers',
  '/series',
  '/people',
  '/subscriber-selection',
] as const

/** The five of the header (HDR-01). */
export const MAIN_LINKS: readonly ShellLink[] = [
  { label: 'Browse', to: '/browse' },
  { label: 'Audiobooks', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'Editions', to: '/editions', search: { _page: 1, itemsPerPage: 5 } },
  {
    get label() {
      return shop().journal
    },
    to: '/murmurations',
    also: JOURNAL,
  },
  { label: 'Membership', to: '/subscription' },
]
