import type { RegisteredRouter } from '@tanstack/react-router'
import type { SessionEnd } from '#net/settings.ts'
import { currentOwner } from '#session/store.ts'
import { toast } from '#ui/toast.ts'

/**
 * Tells the user that the session expired or was ended from another device, and opens the log-in if a screen
 * was loading (SESS-09). A device that was logged out by the user or the shop removes what it stores.
 */
export const whenSessionEnds =
  (router: Pick<RegisteredRouter, 'navigate' | 'latestLocation'>) =>
  ({ reason, background }: SessionEnd): void => {
    if (reason === 'removed') {
      const owner = currentOwner()
      toast('This device was logged out from elsewhere, so we’ve removed your downloads and data from it.')
      void import('#session/log-out.ts').then(({ removeUser }) => removeUser(owner))
    }
    // Without a refresh token the screen stays, even if its own call failed (SESS-10).
    else if (background || reason === 'no-refresh-token')
      toast('Please log in again. Your downloads still play.')
    // The address that was loading, not the screen still shown.
    else void router.navigate({ to: '/login', search: { from: router.latestLocation.href } })
  }
