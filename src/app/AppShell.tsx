import { useMatches } from '@tanstack/react-router'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { TitleTheme } from '#ui/title-theme.ts'
import { connectivity } from '#net/connectivity.ts'
import { useSession } from '#session/store.ts'
import { accountEntries } from './account-entries.tsx'
import { Footer } from './shell/Footer.tsx'
import { Header } from './shell/Header.tsx'
import { OfflineBadge } from './shell/OfflineBadge.tsx'
import { Shell } from './shell/Shell.tsx'
import { TabBar } from './shell/TabBar.tsx'
import { useOfflineState } from './shell/use-offline-state.ts'
import { FOOTER_COLUMNS, HEADER_LINKS, tabsFor } from './links.ts'
import { MiniPlayerSlot } from './MiniPlayerSlot.tsx'
import { TwoPlacesSlot } from './TwoPlacesSlot.tsx'

/** Which frame a screen stands in: nearly all in the standard one, the player in none (NAV-55, NAV-58). */
export function AppShell({ children }: { children: ReactNode }) {
  // The screen that is shown, not the one on its way: a player that is being left must not be drawn anew.
  const whole = useMatches({ select: (matches) => FILLS_THE_WINDOW.has(matches.at(-1)?.routeId ?? '') })
  const standard = !whole && {
    header: <StandardHeader />,
    footer: <Footer columns={FOOTER_COLUMNS} />,
    mini: <MiniPlayerSlot />,
    tabs: <StandardTabs />,
  }
  return (
    <Shell whole={whole} {...standard}>
      {children}
      <TwoPlacesSlot />
    </Shell>
  )
}

const FILLS_THE_WINDOW: ReadonlySet<string> = new Set(['/player/$slug', '/sample/$slug'])

function StandardHeader() {
  const online = useSyncExternalStore(
    connectivity.subscribe,
    () => connectivity.snapshot() !== 'offline',
    () => true,
  )
  const owner = useUser()
  return (
    <Header
      account={
        owner ? { signedIn: true, name: owner.fullName, entries: accountEntries } : { signedIn: false }
      }
      links={HEADER_LINKS}
      band={useLoadedBand()}
      hide={['search', 'bag']}
      below={<OfflineBadge state={useOfflineState(online)} />}
    />
  )
}

const StandardTabs = () => <TabBar tabs={tabsFor(useUser() ? '/settings' : '/login')} />

const useUser = () => useSession((state) => (state.status === 'user' ? state.owner : null))

/** The colours a screen's loader found for the band below the header: known before the first paint. */
const useLoadedBand = (): TitleTheme | null =>
  useMatches({
    select: (matches) => {
      const data: unknown = matches.at(-1)?.loaderData
      return data && typeof data === 'object' && 'band' in data ? (data.band as TitleTheme) : null
    },
  })
