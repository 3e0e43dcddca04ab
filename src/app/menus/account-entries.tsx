import { Link } from '@tanstack/react-router'
import { currentSession } from '#session/store.ts'
import { has } from '#features/shop-details/shop.ts'
import type { MenuEntry } from '#ui/Menu.tsx'
import { openShelf, useShelfDrawer } from './shelf-drawer.ts'
import { useDownloadsStore } from '#features/downloads/store.ts'
import { connectivity } from '#net/connectivity.ts'
import { logOut } from '#session/log-out.ts'

/** Existing members still see their membership in a shop that no longer offers it. */
const isOfMembers = () => has('membership') || currentSession().user?.currentSubscription != null

/** The account menu of a logged-in user (HDR-08, HDR-16). */
export const accountEntries = (): readonly MenuEntry[] => [
  { key: 'you', label: 'You', link: <Link to="/you" /> },
  { key: 'library', label: 'Library', link: <Link to="/library" /> },
  { key: 'shelf', label: 'Peek at your shelf', onSelect: () => openShelf(true) },
  { key: 'downloads', label: 'Downloads', link: <Link to="/downloads" /> },
  { key: 'orders', label: 'Orders', link: <Link to="/orders" /> },
  ...(isOfMembers()
    ? [{ key: 'membership', label: 'Your membership', link: <Link to="/subscription-details" /> }]
    : []),
  { key: 'settings', label: 'Settings', link: <Link to="/settings" /> },
  { key: 'change-password', label: 'Change password', link: <Link to="/change-password" /> },
  { key: 'log-out', label: 'Log out', ruled: true, onSelect: () => void askToLogOut() },
]

/** Asks first if downloads would stay on the device or become unreachable; otherwise logs out at once. */
export async function askToLogOut(): Promise<void> {
  const downloads = [...useDownloadsStore.getState().byTitle.values()]
  const hasDownloads = downloads.some(({ state }) => state !== 'none')
  if (connectivity.snapshot() !== 'offline' && !hasDownloads) return logOut()
  useShelfDrawer.setState(({ open }) => ({ open: open ?? false, isLoggingOut: true }))
}
