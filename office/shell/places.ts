import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { ArticleIcon } from '@phosphor-icons/react/dist/csr/Article'
import { FilesIcon } from '@phosphor-icons/react/dist/csr/Files'
import { LayoutIcon } from '@phosphor-icons/react/dist/csr/Layout'
import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { PenNibIcon } from '@phosphor-icons/react/dist/csr/PenNib'
import { NewspaperIcon } from '@phosphor-icons/react/dist/csr/Newspaper'
import { ClockCounterClockwiseIcon } from '@phosphor-icons/react/dist/csr/ClockCounterClockwise'
import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { ChartBarIcon } from '@phosphor-icons/react/dist/csr/ChartBar'
import { StorefrontIcon } from '@phosphor-icons/react/dist/csr/Storefront'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import { GearIcon } from '@phosphor-icons/react/dist/csr/Gear'
import { HeartbeatIcon } from '@phosphor-icons/react/dist/csr/Heartbeat'
import { KeyIcon } from '@phosphor-icons/react/dist/csr/Key'
import { SunIcon } from '@phosphor-icons/react/dist/csr/Sun'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { UsersIcon } from '@phosphor-icons/react/dist/csr/Users'
import { type Permission, type Role, roleMay } from '#contract/office/permissions.ts'

export interface Place {
  readonly to: PlaceAddress
  readonly name: string
  readonly icon: Icon
  /** What a role must be allowed to do to see it; null for every role. */
  readonly may: Permission | null
  /** The side list shows places of one group together, and `foot` at its end. */
  readonly group: 'today' | 'people' | 'shop' | 'money' | 'foot'
  /** The key after G that goes there. */
  readonly key?: string
  /** More words by which the search finds it. */
  readonly words?: string
}

type PlaceAddress =
  | '/today'
  | '/orders'
  | '/people'
  | '/members'
  | '/titles'
  | '/profiles'
  | '/home-page'
  | '/journal'
  | '/newsletter'
  | '/emails'
  | '/pages'
  | '/cards'
  | '/codes'
  | '/sales'
  | '/settings'
  | '/team'
  | '/health'
  | '/activity'

/** The side list, in its order. A new screen needs a route in `router.tsx` and a line here. */
export const PLACES: readonly Place[] = [
  {
    to: '/today',
    name: 'Today',
    icon: SunIcon,
    may: 'today.read',
    group: 'today',
    key: 't',
    words: 'todo yesterday start',
  },
  {
    to: '/orders',
    name: 'Orders',
    icon: ReceiptIcon,
    may: 'orders.read',
    group: 'people',
    key: 'o',
    words: 'refund receipt payment bought sales',
  },
  {
    to: '/titles',
    name: 'Titles',
    icon: BooksIcon,
    may: 'titles.read',
    group: 'shop',
    key: 'b',
    words: 'books audiobooks e-books prices states catalogue',
  },
  {
    to: '/profiles',
    name: 'Authors and publishers',
    icon: PenNibIcon,
    may: 'titles.read',
    group: 'shop',
    words: 'narrators translators people biographies about profiles',
  },
  {
    to: '/people',
    name: 'People',
    icon: UsersIcon,
    may: 'people.read',
    group: 'people',
    key: 'p',
    words: 'customers accounts readers listeners bookshops',
  },
  {
    to: '/members',
    name: 'Members',
    icon: IdentificationCardIcon,
    may: 'members.read',
    group: 'people',
    key: 'm',
    words: 'memberships plans trials renewals failing payments',
  },
  {
    to: '/emails',
    name: 'Emails',
    icon: EnvelopeSimpleIcon,
    may: 'emails.read',
    group: 'people',
    key: 'e',
    words: 'mail templates waiting failed test',
  },
  {
    to: '/home-page',
    name: 'Home page',
    icon: LayoutIcon,
    may: 'pages.read',
    group: 'shop',
    key: 'h',
    words: 'panels highlights staff picks front',
  },
  {
    to: '/journal',
    name: 'Journal',
    icon: ArticleIcon,
    may: 'pages.read',
    group: 'shop',
    key: 'j',
    words: 'articles podcasts events pieces drafts bin write',
  },
  {
    to: '/pages',
    name: 'Pages',
    icon: FilesIcon,
    may: 'pages.read',
    group: 'shop',
    words: 'about terms privacy faq questions answers menus',
  },
  {
    to: '/newsletter',
    name: 'Newsletter',
    icon: NewspaperIcon,
    may: 'newsletter.write',
    group: 'shop',
    words: 'subscribers issue list',
  },
  {
    to: '/cards',
    name: 'Cards and bookshops',
    icon: StorefrontIcon,
    may: 'cards.read',
    group: 'money',
    key: 'd',
    words: 'batches print outlets statements commission starter packs void redemption',
  },
  {
    to: '/codes',
    name: 'Discount codes',
    icon: TicketIcon,
    may: 'codes.read',
    group: 'money',
    key: 'c',
    words: 'coupons vouchers offers discounts promotions',
  },
  {
    to: '/sales',
    name: 'Sales and VAT',
    icon: ChartBarIcon,
    may: 'sales.read',
    group: 'money',
    key: 's',
    words: 'money royalties publishers one stop shop oss quarter month csv statement rights holders taxes',
  },
  {
    to: '/settings',
    name: 'Settings',
    icon: GearIcon,
    may: 'settings.read',
    group: 'foot',
    words: 'name logo colours plans vat countries parts sender banner footer shop.json',
  },
  {
    to: '/team',
    name: 'Team',
    icon: KeyIcon,
    may: 'team.read',
    group: 'foot',
    words: 'staff roles passkeys invite colleagues',
  },
  {
    to: '/health',
    name: 'Health',
    icon: HeartbeatIcon,
    may: 'health.read',
    group: 'foot',
    words: 'doctor checks jobs webhooks storage disk backups broken problems',
  },
  {
    to: '/activity',
    name: 'Activity',
    icon: ClockCounterClockwiseIcon,
    may: 'activity.read',
    group: 'foot',
    words: 'log history undo audit',
  },
]

/** On phones these have a tab of their own, the rest is under More. */
export const TABS: readonly string[] = ['/today', '/orders', '/people', '/titles', '/sales']

export const placesFor = (role: Role): Place[] =>
  PLACES.filter(({ may }) => may === null || roleMay(role, may))
