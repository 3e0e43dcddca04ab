import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { CaretUpDownIcon } from '@phosphor-icons/react/dist/csr/CaretUpDown'
import { ListIcon } from '@phosphor-icons/react/dist/csr/List'
import { MagnifyingGlassIcon } from '@phosphor-icons/react/dist/csr/MagnifyingGlass'
import { Suspense, useState } from 'react'
import { ROLE_WORDS } from '#contract/office/permissions.ts'
import { useOnline } from '#net/use-online.ts'
import { Icon } from '#ui/Icon.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { LiveRegion } from '#ui/LiveRegion.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { facts } from '../facts.ts'
import { useMe } from '../net/me.ts'
import { useSessionState } from '../net/session-state.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { DRAWER_HOST } from '../ui/Drawer.tsx'
import { IconButton } from '../ui/Button.tsx'
import { type Place, PLACES, placesFor, TABS } from './places.ts'
import { NotForRole } from './problems.tsx'
import { useShellKeys } from './use-shell-keys.ts'

const Palette = lazyPart(() => import('./Palette.tsx'), 'Palette')
const KeysHelp = lazyPart(() => import('./KeysHelp.tsx'), 'KeysHelp')
const ConfirmPasskey = lazyPart(() => import('../session/ConfirmPasskey.tsx'), 'ConfirmPasskey')
const SignInAgain = lazyPart(() => import('../session/SignInAgain.tsx'), 'SignInAgain')

type Open = 'palette' | 'keys' | undefined

/** The frame around every screen: side list, on phones bars above and below, drawers, dialogs and messages. */
export function Shell() {
  const me = useMe()
  const [open, setOpen] = useState<Open>()
  const { asking, isSignedOut } = useSessionState()
  const places = placesFor(me.role)
  const search = () => setOpen('palette')
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isAllowed = PLACES.every((place) => !isAt(path, place) || places.includes(place))
  useShellKeys({ places, singleKeys: me.singleKeys, onSearch: search, onHelp: () => setOpen('keys') })

  return (
    <>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <div className="app">
        <nav className="side" aria-label="Office">
          <Mark />
          <button type="button" className="find" onClick={search} aria-keyshortcuts="Control+K">
            <Icon of={MagnifyingGlassIcon} size={16} />
            <span>Search</span>
            <kbd>Ctrl K</kbd>
          </button>
          <SideList places={places} />
          <Link to="/you" className="me" activeProps={{ 'aria-current': 'page' }}>
            <Avatar name={me.name} />
            <span>
              {me.name}
              <small>{ROLE_WORDS[me.role].name}</small>
            </span>
            <Icon of={CaretUpDownIcon} size={16} />
          </Link>
        </nav>
        <header className="top">
          <Mark />
          <IconButton label="Search" of={MagnifyingGlassIcon} size={22} onClick={search} />
        </header>
        <main id="main" tabIndex={-1}>
          <OfflineLine />
          {isAllowed ? <Outlet /> : <NotForRole />}
        </main>
        <div id={DRAWER_HOST} />
        <PhoneTabs places={places} />
      </div>
      <Toaster />
      <LiveRegion />
      <Suspense>
        {open === 'palette' && <Palette onClose={() => setOpen(undefined)} />}
        {open === 'keys' && <KeysHelp onClose={() => setOpen(undefined)} />}
        {asking && <ConfirmPasskey answer={asking.answer} />}
        {isSignedOut && <SignInAgain />}
      </Suspense>
    </>
  )
}

export const Mark = () => (
  <Link to="/" className="wordmark">
    {facts().name} <em>office</em>
  </Link>
)

const isAt = (path: string, { to }: Place): boolean => path === to || path.startsWith(`${to}/`)

function SideList({ places }: { readonly places: readonly Place[] }) {
  const groups = Object.values(Object.groupBy(places, ({ group }) => group))
  return groups.map((group) => (
    <ul key={group[0]?.group} className={group[0]?.group === 'foot' ? 'foot' : undefined}>
      {group.map((place) => (
        <li key={place.to}>
          <Link to={place.to} title={place.name} activeProps={{ 'aria-current': 'page' }}>
            {({ isActive }) => (
              <>
                <Icon of={place.icon} size={18} filled={isActive} />
                <span>{place.name}</span>
              </>
            )}
          </Link>
        </li>
      ))}
    </ul>
  ))
}

function PhoneTabs({ places }: { readonly places: readonly Place[] }) {
  const own = TABS.flatMap((to) => places.find((place) => place.to === to) ?? []).slice(0, 4)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isElsewhere = !own.some((place) => isAt(path, place))
  return (
    <nav className="tabs" aria-label="Office">
      {own.map(({ to, name, icon }) => (
        <Link key={to} to={to} activeProps={{ 'aria-current': 'page' }}>
          {({ isActive }) => (
            <>
              <Icon of={icon} size={22} filled={isActive} />
              {name}
            </>
          )}
        </Link>
      ))}
      <Link to="/more" aria-current={isElsewhere ? 'page' : undefined}>
        <Icon of={ListIcon} size={22} />
        More
      </Link>
    </nav>
  )
}

const OfflineLine = () =>
  useOnline() ? null : (
    <p className="offline" role="status">
      There’s no connection to the shop. You can look at what’s here and go on typing; nothing is lost.
    </p>
  )
