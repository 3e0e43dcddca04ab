import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import { UploadSimpleIcon } from '@phosphor-icons/react/dist/csr/UploadSimple'
import { UserPlusIcon } from '@phosphor-icons/react/dist/csr/UserPlus'
import type { Permission } from '#contract/office/permissions.ts'

export interface Action {
  readonly title: string
  /** Where it is done: an address inside the office. */
  readonly to: string
  readonly icon?: Icon
  readonly may: Permission | null
  readonly words?: string
}

/** Things to do that Ctrl K offers. */
export const ACTIONS: readonly Action[] = [
  {
    title: 'Invite somebody to the office',
    to: '/team/invite',
    icon: UserPlusIcon,
    may: 'team.change',
    words: 'colleague staff',
  },
  {
    title: 'Bring in books',
    to: '/titles/import',
    icon: UploadSimpleIcon,
    may: 'titles.import',
    words: 'import upload folder epub mp3 catalogue csv onix',
  },
  {
    title: 'Write a piece for the Journal',
    to: '/journal/new',
    may: 'pages.change',
    words: 'article podcast event',
  },
  { title: 'Write a page', to: '/pages/new', may: 'pages.change', words: 'info' },
  { title: 'Change the menus', to: '/pages/menus/menus', may: 'pages.change', words: 'navigation' },
  { title: 'Change the questions and answers', to: '/pages/faq/faq', may: 'pages.change', words: 'faq help' },
  {
    title: 'Plan the months',
    to: '/titles/months',
    may: 'pages.change',
    words: 'editions highlights members schedule',
  },
  { title: 'Make a discount code', to: '/codes/new', may: 'codes.change', words: 'coupon voucher' },
  { title: 'Give a membership', to: '/members/give', may: 'members.change', words: 'gift free months' },
  { title: 'Make cards', to: '/cards/make', may: 'cards.change', words: 'print batch' },
  { title: 'Add a bookshop', to: '/cards/bookshops/new', may: 'cards.change', words: 'outlet' },
  { title: 'Back up now', to: '/health', may: 'health.act', words: 'backup' },
  { title: 'Add a passkey', to: '/you', may: null, words: 'security recovery codes' },
]
