import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useMatches, useNavigate, useRouter } from '@tanstack/react-router'
import { Suspense, useMemo, type ReactNode, useEffect, useState } from 'react'
import { useBagCount } from '#features/bag/count.ts'
import { menuQuery } from '#features/home/queries.ts'
import { shop } from '#features/shop-details/shop.ts'
import type { TitleTheme } from '#ui/title-theme.ts'
import { useOnline } from '#net/use-online.ts'
import { useSession } from '#session/store.ts'
import { loadPopUp, openPopUp } from '../pop-ups/authentication.ts'
import { usePopUp } from '../pop-ups/pop-up-store.ts'
import { type Account, OwnersBanner, Header, type HeaderProps } from '../header/Header.tsx'
import { useShelfDrawer } from '../menus/shelf-drawer.ts'
import { LINKS_WITH_LIBRARY, menuGroups, type MenuGroup, MAIN_LINKS, TABS, type Tab } from '../menus/links.ts'
import header from '../header/header.module.css'
import { lazyPart } from '#ui/lazy-part.tsx'
import { PlayerDock } from '#features/player/PlayerDock.tsx'
import { useListeningStore } from '#features/listening/store.ts'
import { cx } from '#ui/cx.ts'
import { LiveRegion } from '#ui/LiveRegion.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { Icon } from '#ui/Icon.tsx'
import { NavLink } from '#app/menus/NavLink.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { useOwnedTitles } from '#features/catalogue/marks.ts'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import type { OfflineState } from '#app/header/OfflineBadge.tsx'
import { useFailedPayment } from '#features/membership/failed-payment.ts'
import styles from './frame.module.css'

/** Renders the frame that the route requests (`Frame`). */
export function AppShell({ children }: { children: ReactNode }) {
  // Use the displayed match, not the pending one: a player that is being left must not render again.
  const frame = useMatches({ select: (matches) => matches.at(-1)?.staticData.frame })
  return (
    <Shell whole={frame === 'whole'} {...partsOf(frame)}>
      {children}
      <FloatingSlot />
      <PopUpSlot />
      <ShelfSlot />
    </Shell>
  )
}

function partsOf(frame: Frame | undefined): Pick<ShellProps, 'header' | 'footer' | 'mini' | 'tabs'> {
  if (frame === 'whole') return {}
  if (frame === 'point-of-sale') return { header: <PointOfSaleHeaderSlot /> }
  if (frame === 'checkout') return { header: <CheckoutHeader /> }
  if (frame === 'card')
    return { header: <StandardHeader hide={['links', 'account', 'menu']} />, mini: <MiniPlayerSlot /> }
  return {
    header: <StandardHeader banner={frame === 'window'} />,
    footer: frame === 'own' ? undefined : <FooterSlot letter={frame !== 'newsletter'} />,
    mini: <MiniPlayerSlot />,
    tabs: <StandardTabs />,
  }
}

const PopUp = lazyPart(loadPopUp, 'AuthenticationPopUp')
const PopUpSlot = () =>
  usePopUp((state) => state.wanted) && (
    <Suspense>
      <PopUp />
    </Suspense>
  )

const Shelf = lazyPart(() => import('../menus/ShelfDrawer.tsx'), 'ShelfDrawer')
const ShelfSlot = () =>
  useShelfDrawer((state) => state.open !== null) && (
    <Suspense>
      <Shelf />
    </Suspense>
  )

const HeaderSearch = lazyPart(() => import('../header/HeaderSearch.tsx'), 'HeaderSearch')
const BagPanel = lazyPart(() => import('#features/bag/BagPanel.tsx'), 'BagPanel')
const loadMenu = () => import('../menus/MenuPanel.tsx')
const MenuPanel = lazyPart(loadMenu, 'MenuPanel')

/** The menu's entries are loaded on the first press. */
const useAccount = (): Account => {
  const owner = useUser()
  const navigate = useNavigate()
  return owner
    ? {
        signedIn: true,
        name: owner.fullName,
        entries: async () => (await import('../menus/account-entries.tsx')).accountEntries(),
      }
    : { signedIn: false, onLogIn: () => openPopUp('log-in', () => navigate({ to: '/login' })) }
}

const PointOfSaleHeader = lazyPart(() => import('../header/PointOfSaleHeader.tsx'), 'PointOfSaleHeader')
const PointOfSaleHeaderSlot = () => (
  <div style={{ minHeight: 'var(--h-header)' }}>
    <Suspense>
      <PointOfSaleHeader />
    </Suspense>
  </div>
)

const CheckoutHeader = () => (
  <Header account={{ signedIn: false }} hide={['links', 'search', 'bag', 'account', 'menu']} />
)

function StandardHeader({ banner, hide }: { banner?: boolean } & Pick<HeaderProps, 'hide'>) {
  const online = useOnline()
  const offline = useOfflineState(online)
  const groups = useMenu()
  const heading = useMatches({ select: (matches) => matches.at(-1)?.staticData.heading })
  const hasLibrary = useSession((state) => state.owner !== null)
  const header = (
    <Header
      account={useAccount()}
      hide={hide}
      heading={heading}
      band={useLoadedBand()}
      bagCount={useBagCount()}
      links={hasLibrary ? LINKS_WITH_LIBRARY : MAIN_LINKS}
      panels={{
        bag: (close) => (
          <Suspense>
            <BagPanel onClose={close} />
          </Suspense>
        ),
        search: (close) => (
          <Suspense>
            <HeaderSearch onClose={close} />
          </Suspense>
        ),
        menu: (close) => (
          <Suspense>
            <MenuPanel groups={groups.length > 0 ? groups : WITHOUT_MENU} onClose={close} />
          </Suspense>
        ),
      }}
      below={<OfflineLine state={offline} />}
    />
  )
  return (
    <>
      <PaymentFailedSlot />
      {banner && offline === 'online' && shop().banner && <OwnersBanner {...shop().banner!} />}
      {header}
    </>
  )
}

const StandardFooter = lazyPart(() => import('../footer/StandardFooter.tsx'), 'StandardFooter')
const FooterSlot = ({ letter }: { letter: boolean }) => (
  <Suspense>
    <StandardFooter menu={useMenu()} letter={letter} />
  </Suspense>
)

/** The shop's menu: part of server-rendered pages, otherwise loaded. */
function useMenu() {
  const { data } = useQuery(menuQuery())
  return useMemo(() => menuGroups(data ?? []), [data])
}

/** The header's links if there is no shop menu: on phones they appear nowhere else. */
const WITHOUT_MENU: readonly MenuGroup[] = [{ title: 'Products', links: MAIN_LINKS }]

const StandardTabs = () => <TabBar tabs={TABS} />

const useUser = () => useSession((state) => (state.status === 'user' ? state.owner : null))

/** The colours from the loader for the band below the header: known before the first paint. */
const useLoadedBand = (): TitleTheme | null =>
  useMatches({
    select: (matches) => {
      const data = matches.at(-1)?.loaderData
      return data && typeof data === 'object' && 'band' in data ? data.band! : null
    },
  })

/**
 * The frame of a screen (NAV-04, NAV-55, NAV-57, NAV-58); by default header, footer, mini player
 * and tabs.
 * - `window`: the home page, with the gift card's banner above the header
 * - `own`: a personal screen, a log-in or a payment’s result, without the shop's footer
 * - `newsletter`: has a newsletter form, so its footer has none
 * - `desk`: the booksellers', with a header without the shop
 * - `card`: redeems a gift card, without links to log in or join (NAV-56)
 * - `checkout`: no links except its own and the shop's name
 * - `whole`: the screen fills the window
 */
type Frame = 'window' | 'own' | 'newsletter' | 'point-of-sale' | 'card' | 'checkout' | 'whole'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    frame?: Frame
    /** The screen's name in the header of phones. */
    heading?: string
  }
}

/** The mini player, once a title is loaded, with its navigation. */
function MiniPlayerSlot() {
  const navigate = useNavigate()
  const router = useRouter()
  const pageShowsStarted = useMatches({
    select: (matches) => ['/', '/library'].includes(matches.at(-1)?.fullPath ?? ''),
  })
  // A recording's slug is the path of its page; it has no player screen.
  const toRecording = (slug: string) => router.history.push(`/${slug}`)
  return (
    <PlayerDock
      pageShowsStarted={pageShowsStarted}
      onOpen={({ slug, kind }) => {
        if (kind === 'recording') return toRecording(slug)
        void navigate({
          to: kind === 'sample' ? '/sample/$slug' : '/player/$slug',
          params: { slug },
          // Animates the cover from the bar to its place (docs/design.md, Space and motion).
          viewTransition: true,
        })
      }}
      onBookPage={(slug) => {
        if (slug.includes('/')) return toRecording(slug)
        void navigate({ to: '/audiobooks/$slug', params: { slug } })
      }}
    />
  )
}

const FloatingQuestion = lazyPart(() => import('#features/listening/TwoPlaces.tsx'), 'FloatingQuestion')

/** A question over any screen (PLAY-27). */
function FloatingSlot() {
  const asks = useListeningStore((state) => state.twoPlaces.length > 0)
  return (
    asks && (
      <Suspense>
        <FloatingQuestion />
      </Suspense>
    )
  )
}

interface ShellProps {
  header?: ReactNode | undefined
  children: ReactNode
  footer?: ReactNode | undefined
  /** The mini player; its root has `data-bar="mini"` and is `var(--bar-tabs)` above the window's edge. */
  mini?: ReactNode | undefined
  tabs?: ReactNode | undefined
  /** The screen fills the window (NAV-58). */
  whole?: boolean | undefined
}

/** The standard layout. Order in the document is the order of focus: header, page, mini player, tabs. */
function Shell({ header, children, footer, mini, tabs, whole }: ShellProps) {
  return (
    <>
      <SkipLink />
      <div className={styles.page}>
        {header}
        <main id="main" tabIndex={-1} className={cx(styles.main, !footer && !whole && styles.noFooter)}>
          {children}
        </main>
        {footer}
      </div>
      {mini}
      {tabs}
      <Toaster />
      <LiveRegion />
    </>
  )
}

function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  )
}

/** The title whose page has this path. */
function titleAt(path: string): TitleKey | undefined {
  const [, kind, slug] = /^\/(audiobooks|ebooks)\/([^/]+)\/?$/.exec(path) ?? []
  return slug === undefined ? undefined : titleKey(kind === 'ebooks' ? 'ebook' : 'audio', slug)
}

/** Phones only. `data-bar` makes the shell reserve space for it at the end of the page. */
export function TabBar({ tabs }: { tabs: readonly Tab[] }) {
  const key = useLocation({ select: ({ pathname }) => titleAt(pathname) })
  const isOwnTitle = useOwnedTitles(({ owned }) => key !== undefined && owned.has(key))
  return (
    <nav className={styles.tabs} aria-label="Sections" data-bar="tabs">
      {tabs.map(({ label, to, search, also, owns, exact, icon }) => (
        <NavLink
          key={label}
          {...{ to, search, exact }}
          also={isOwnTitle ? owns : also}
          className={styles.tab}
        >
          {({ isActive }) => (
            <>
              <Icon of={icon} filled={isActive} />
              <span className={styles.tabLabel}>{label}</span>
            </>
          )}
        </NavLink>
      ))}
    </nav>
  )
}

const OfflineBadge = lazyPart(() => import('../header/OfflineBadge.tsx'), 'OfflineBadge')

/** The live region stays mounted, so that screen readers announce changes. */
export function OfflineLine({ state }: { state: OfflineState }) {
  // Such a page has the line before its code is loaded, so that nothing moves.
  const [opensOffline] = useState(state === 'offline')
  return (
    <div role="status">
      <Suspense fallback={opensOffline && <OfflineText />}>
        <OfflineBadge state={state} />
      </Suspense>
    </div>
  )
}

export const OfflineText = () => (
  <div className={header.badge}>
    <Wrap className={header.line}>
      <Icon of={WifiSlashIcon} size={20} />
      You’re offline. Your downloads still play.
    </Wrap>
  </div>
)

const BACK_FOR_MS = 3_000

export function useOfflineState(online: boolean): OfflineState {
  const [state, setState] = useState<OfflineState>(online ? 'online' : 'offline')
  useEffect(() => {
    if (!online) setState('offline')
    else setState((before) => (before === 'offline' ? 'back' : before))
  }, [online])

  useEffect(() => {
    if (state !== 'back') return undefined
    const timer = setTimeout(() => setState('online'), BACK_FOR_MS)
    return () => clearTimeout(timer)
  }, [state])
  return state
}

const PaymentFailed = lazyPart(() => import('#features/membership/PaymentFailed.tsx'), 'PaymentFailed')

/** Above the header of every page, except for the membership's own, which says more. */
function PaymentFailedSlot() {
  const failed = useFailedPayment()
  const isQuiet = useMatches({ select: (matches) => matches.at(-1)?.routeId === '/subscription-details' })
  return (
    !isQuiet && (
      <div className={styles.owes}>
        {failed && (
          <Suspense>
            <PaymentFailed failed={failed} />
          </Suspense>
        )}
      </div>
    )
  )
}
