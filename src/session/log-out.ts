import { removeValue } from '#storage/values.ts'
import { within } from '#storage/wait.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { sendPendingLogouts } from './pending-logouts.ts'
import { newGeneration, tokens } from './session.ts'
import { becomeVisitor, currentSession } from './store.ts'
import { announce } from './tabs.ts'
import { leaveUserScopes, userScopesClosed } from './user-scope.ts'
import { localStore } from '#storage/page-storage.ts'
import { requestRemoval } from '#storage/removals.ts'

/** How long a log-out waits for the network: it must feel immediate, even on a train. */
const LEAVE_MS = 3_000

/**
 * Ends the session here and on the server. Sends waiting places first if that works at once; unsent ones stay for this
 * user's next log-in (PLAY-29). Works offline; safe to call twice.
 */
export async function logOut(): Promise<void> {
  newGeneration()
  if (currentSession().owner) await within(LEAVE_MS, leaveUserScopes())

  // Under the refresh lock, so that a running refresh can't store new tokens afterwards.
  await within(
    LEAVE_MS,
    oneAtATime(TOKEN_LOCK, async () => {
      const last = await tokens.read()
      await tokens.clear()
      if (last?.refreshToken) await sendPendingLogouts(last.refreshToken).catch(() => undefined)
    }),
  )
  await tokens.clear()
  await forgetUser()
}

export async function forgetUser(): Promise<void> {
  await removeValue('rememberedUser').catch(() => undefined)
  becomeVisitor()
  await userScopesClosed()
  announce('out')
}

/**
 * Preferences and a discount code in localStorage. They stay after a log-out, and are removed with the account. The answer
 * to the analytics question is kept: it was given for the browser.
 */
const DEVICE_KEYS = [
  'scheme',
  'planCode',
  'murmur.last-played',
  'murmur.library',
  'murmur.player',
  'murmur.player-handover',
  'owned',
  'murmur.sleep',
  'homeSnapshot',
  'noWallets',
  'passkeyOffered',
  'started',
] as const
export type DeviceKey = (typeof DEVICE_KEYS)[number]

/**
 * Removes all of a user's data from this device, in every tab: the account was deleted, or this device was logged out
 * from elsewhere, so no log-out is sent. Returns whether everything was removed; the next start retries the rest.
 */
export async function removeUser(ownerUuid: string | undefined): Promise<boolean> {
  newGeneration()
  // Record the removal before the other tabs learn of the log-out, so that they too remove what they still write.
  if (ownerUuid) await requestRemoval(ownerUuid)
  await oneAtATime(TOKEN_LOCK, () => tokens.clear())
  await forgetUser()
  for (const key of DEVICE_KEYS) localStore.removeItem(key)
  // A bookshop's account stores nothing on the device.
  if (!ownerUuid) return true
  try {
    const { removeForGood } = await import('#sync/leave.ts')
    await removeForGood(ownerUuid)
    return true
  } catch {
    return false
  }
}
