import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { CompassIcon } from '@phosphor-icons/react/dist/csr/Compass'
import { HouseIcon } from '@phosphor-icons/react/dist/csr/House'
import { NewspaperIcon } from '@phosphor-icons/react/dist/csr/Newspaper'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { JOURNAL, SHELVES } from './shell-link.ts'
import type { Tab } from '../frame/TabBar.tsx'

/** 'You' leads to the account's pages, or to the log-in. */
export const tabsFor = (youTo: '/settings' | '/login'): readonly Tab[] => [
  { label: 'Home', to: '/', icon: HouseIcon },
  { label: 'Browse', to: '/browse', also: SHELVES, icon: CompassIcon },
  { label: 'Library', to: '/library', icon: BooksIcon },
  { label: 'Journal', to: '/murmurations', also: JOURNAL, icon: NewspaperIcon },
  { label: 'You', to: youTo, icon: UserIcon },
]
