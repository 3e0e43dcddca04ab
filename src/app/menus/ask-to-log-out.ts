import { useDownloadsStore } from '#features/downloads/store.ts'
import { connectivity } from '#net/connectivity.ts'
import { logOut } from '#session/log-out.ts'
import { useShelfDrawer } from './shelf-drawer.ts'

/** Asks first if downloads would stay on the device or become unreachable; otherwise logs out at once. */
export async function askToLogOut(): Promise<void> {
  const downloads = [...useDownloadsStore.getState().byTitle.values()]
  const hasDownloads = downloads.some(({ state }) => state !== 'none')
  if (connectivity.snapshot() !== 'offline' && !hasDownloads) return logOut()
  useShelfDrawer.setState(({ open }) => ({ open: open ?? false, isLoggingOut: true }))
}
