import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CompassIcon } from '@phosphor-icons/react/dist/csr/Compass'
import { HouseIcon } from '@phosphor-icons/react/dist/csr/House'
import { NewspaperIcon } from '@phosphor-icons/react/dist/csr/Newspaper'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import type { IconProps } from '#ui/Icon.tsx'

/** A link as data, rendered by header, footer and tabs. */
export interface Tab extends ShellLink {
  icon: IconProps['of']
  /** Path prefixes for which the tab is current if the listener owns the title shown. */
  owns?: readonly string[] | undefined
}

export interface ShellLink {
  label: string
  to: string
  search?: Record<string, string | number> | undefined
  /** Path prefixes for which the link is current: pages of its section with other paths. */
  also?: readonly string[] | undefined
  /** Current only on exactly this path. */
  exact?: boolean | undefined
  /** From the menu data (HDR-15). */
  italic?: boolean | undefined
}

/** Paths of the journal's pages (NAV-14). */
const JOURNAL = ['/articles', '/interviews', '/discussions', '/search-articles'] as const
/** Paths of the account's pages, and the way to them. */
const ACCOUNT = [
  '/settings',
  '/change-password',
  '/subscription-details',
  '/orders',
  '/gifts',
  '/downloads',
  '/library/notes',
  '/login',
] as const
/** Paths of the shop's lists; the phone has one tab for all of them. */
const SHELVES = [
  '/audiobooks',
  '/ebooks',
  '/editions',
  '/publishers',
  '/series',
  '/people',
  '/subscriber-selection',
  '/search-books',
  '/audiobooks-in-a-card',
  '/info/audiobook-in-a-card',
] as const

/** The phone's tabs. */
export const TABS: readonly Tab[] = [
  { label: 'Home', to: '/', exact: true, also: ['/subscription-successful'], icon: HouseIcon },
  { label: 'Browse', to: '/browse', also: SHELVES, icon: CompassIcon },
  { label: 'Library', to: '/library', exact: true, owns: ['/audiobooks', '/ebooks'], icon: BooksIcon },
  { label: 'Journal', to: '/murmurations', also: JOURNAL, icon: NewspaperIcon },
  { label: 'You', to: '/you', also: ACCOUNT, icon: UserIcon },
]

/** The header's links (HDR-01). */
export const MAIN_LINKS: readonly ShellLink[] = [
  { label: 'Browse', to: '/browse' },
  { label: 'Audiobooks', to: '/audiobooks', search: { page: 1, itemsPerPage: 12 } },
  { label: 'Editions', to: '/editions', search: { _page: 1, itemsPerPage: 5 } },
  { label: 'Journal', to: '/murmurations', also: JOURNAL },
  { label: 'Membership', to: '/subscription' },
]

/** For a user with a library: it replaces the membership, which the account's page has. */
export const LINKS_WITH_LIBRARY: readonly ShellLink[] = [
  ...MAIN_LINKS.filter(({ to }) => to !== '/subscription'),
  { label: 'Library', to: '/library' },
]

/** A menu entry from the server: the shop's owner enters addresses as the browser shows them. */
interface MenuLine {
  readonly title: string
  readonly url: string
  readonly style: string | null
  readonly group: string
}

export interface MenuGroup {
  readonly title: string
  readonly links: readonly ShellLink[]
}

/** Groups in the order of first appearance (HDR-04); entries keep their order. */
export function menuGroups(lines: readonly MenuLine[]): MenuGroup[] {
  const groups = new Map<string, ShellLink[]>()
  for (const line of lines) {
    const links = groups.get(line.group) ?? []
    links.push(linkOf(line))
    groups.set(line.group, links)
  }
  return [...groups].map(([title, links]) => ({ title, links }))
}

export function linkOf({
  title,
  url,
  style,
}: Pick<MenuLine, 'title' | 'url'> & Partial<MenuLine>): ShellLink {
  const [to = '/', search] = url.split('?', 2)
  return {
    label: title,
    to,
    ...(search ? { search: Object.fromEntries(new URLSearchParams(search)) } : {}),
    ...(style === 'Italic' ? { italic: true } : {}),
  }
}
