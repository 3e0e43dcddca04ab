import { BooksIcon } from '@phosphor-icons/react/dist/csr/Books'
import { useQuery } from '@tanstack/react-query'
import { useMatches, useNavigate, useRouter } from '@tanstack/react-router'
import { Suspense, useMemo, type ReactNode } from 'react'
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
import { menuGroups, type MenuGroup, MAIN_LINKS, tabsFor } from '../menus/links.ts'
import { Shell, type ShellProps, TabBar } from './Shell.tsx'
import { OfflineLine, useOfflineState } from '../header/OfflineLine.tsx'
import { lazyPart } from '#ui/lazy-part.tsx'
import { PlayerDock } from '#features/player/PlayerDock.tsx'
import { useListeningStore } from '#features/listening/store.ts'

/** Draws around a screen what its route says (`frame.ts`). */
export function AppShell({ children }: { children: ReactNode }) {
  // The screen that is shown, not the one on its way: a player that is being left must not be drawn again.
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
  if (frame === 'desk') return { header: <CounterHeaderSlot /> }
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

/** The menu's entries come with the first press. */
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

const CounterHeader = lazyPart(() => import('../header/CounterHeader.tsx'), 'CounterHeader')
const CounterHeaderSlot = () => (
  <div style={{ minHeight: 'var(--h-header)' }}>
    <Suspense>
      <CounterHeader />
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
  const hasLibrary = useSession((state) => state.owner !== null)
  const header = (
    <Header
      account={useAccount()}
      hide={hide}
      band={useLoadedBand()}
      bagCount={useBagCount()}
      links={hasLibrary ? WITH_LIBRARY : MAIN_LINKS}
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
      {banner && offline === 'online' && shop().banner && <OwnersBanner {...shop().banner!} />}
      {header}
    </>
  )
}

/** One press to the shelf for anyone who owns books, as on a phone's tabs; also where a session has ended. */
const WITH_LIBRARY = [...MAIN_LINKS, { label: 'Library', to: '/library', wide: BooksIcon }] as const

const StandardFooter = lazyPart(() => import('../footer/StandardFooter.tsx'), 'StandardFooter')
const FooterSlot = ({ letter }: { letter: boolean }) => (
  <Suspense>
    <StandardFooter menu={useMenu()} letter={letter} />
  </Suspense>
)

/** The owner's menu: there with the first paint of a page that the server rendered, a moment later elsewhere. */
function useMenu() {
  const { data } = useQuery(menuQuery())
  return useMemo(() => menuGroups(data ?? []), [data])
}

/** Without the owner's menu, the header's links: a phone has them nowhere else. */
const WITHOUT_MENU: readonly MenuGroup[] = [{ title: 'Products', links: MAIN_LINKS }]

const StandardTabs = () => <TabBar tabs={tabsFor(useUser() ? '/settings' : '/login')} />

const useUser = () => useSession((state) => (state.status === 'user' ? state.owner : null))

/** The colours a screen's loader found for the band below the header: known before the first paint. */
const useLoadedBand = (): TitleTheme | null =>
  useMatches({
    select: (matches) => {
      const data = matches.at(-1)?.loaderData
      return data && typeof data === 'object' && 'band' in data ? data.band! : null
    },
  })

/**
 * The frame of a screen (NAV-04, NAV-55, NAV-57, NAV-58); where a route says nothing, header, footer, mini player
 * and tabs do.
 * - `window`: the shop window, with the card's banner above the header
 * - `own`: a personal screen, or what was paid just now, which does not end in the shop's footer
 * - `newsletter`: asks for an address itself, so its footer does not ask again
 * - `desk`: the booksellers', with a header without the shop
 * - `card`: a card is redeemed, and nothing offers to log in or join beside it (NAV-56)
 * - `checkout`: nothing leads away but its own ways and the shop's name
 * - `whole`: the screen fills the window by itself
 */
type Frame = 'window' | 'own' | 'newsletter' | 'desk' | 'card' | 'checkout' | 'whole'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    frame?: Frame
  }
}

/** The mini player, once there is something to play, and the ways from it into the app. */
function MiniPlayerSlot() {
  const navigate = useNavigate()
  const router = useRouter()
  // A recording's slug is its page's address, and it has no screen of its own.
  const toRecording = (slug: string) => router.history.push(`/${slug}`)
  return (
    <PlayerDock
      onOpen={({ slug, kind }) => {
        if (kind === 'recording') return toRecording(slug)
        void navigate({
          to: kind === 'sample' ? '/sample/$slug' : '/player/$slug',
          params: { slug },
          // The cover travels from the bar to its place (docs/design.md, Space and motion).
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

const Floating = lazyPart(() => import('../pop-ups/Floating.tsx'), 'Floating')

/**
 * Questions and notices that float beside whatever screen is open; nothing is blocked while they wait (PLAY-27,
 * HDR-12).
 */
function FloatingSlot() {
  const asks = useListeningStore((state) => state.twoPlaces.length > 0)
  const failed = useSession((state) => state.user?.subscriptions.some((each) => each.paymentFailed))
  return (
    (asks || failed) && (
      <Suspense>
        <Floating />
      </Suspense>
    )
  )
}
