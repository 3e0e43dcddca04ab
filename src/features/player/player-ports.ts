import type { QueryClient } from '@tanstack/react-query'
import { openedDownloads, prefetchChapters } from '#features/downloads/lazy.ts'
import { wakeWorker } from '#features/downloads/sound-address.ts'
import { connectivity } from '#net/connectivity.ts'
import type { PlacePorts, PlayerPorts } from './ports.ts'
import { ownSpeedsAndBookmarks } from './speeds-and-bookmarks.ts'
import { titlesAndSound } from './titles-and-sound.ts'

/** Waits until this page knows its listener's downloads, so that a downloaded book is found at once. */
export async function playerPorts(
  queryClient: QueryClient,
  { sendNow, ...places }: PlacePorts & { sendNow: () => void },
): Promise<PlayerPorts> {
  await openedDownloads()?.catch(() => undefined)
  return {
    ...titlesAndSound(queryClient),
    ...ownSpeedsAndBookmarks(sendNow),
    ...places,
    prefetch: prefetchChapters,
    warm: ({ url }) => wakeWorker(url),
    connectivity: {
      isOnline: () => connectivity.snapshot() !== 'offline',
      subscribe: (onChange) => connectivity.subscribe(onChange),
    },
  }
}
