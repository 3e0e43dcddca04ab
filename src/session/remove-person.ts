import { localStore } from '#storage/page-storage.ts'
import { requestRemoval } from '#storage/removals.ts'
import { oneAtATime, TOKEN_LOCK } from '#net/one-at-a-time.ts'
import { forgetPerson } from './log-out.ts'
import { newGeneration, tokens } from './session.ts'

/**
 * Preferences and a discount code that localStorage holds for the whole device, whoever is logged in. They outlive a
 * log-out, but not the account. The answer to the analytics question stays: it was given for the browser.
 */
export const DEVICE_KEYS = [
  'scheme',
  'planCode',
  'murmur.library',
  'murmur.player',
  'murmur.player-handover',
  'murmur.sleep',
] as const
export type DeviceKey = (typeof DEVICE_KEYS)[number]

/**
 * Ends the session here and removes all of its user's data from this device, in every tab: the account was deleted, or its
 * owner or the shop logged this device out from elsewhere. No log-out needs to be sent. Returns whether everything was removed; the
 * next start retries the rest.
 */
export async function removePerson(ownerUuid: string | undefined): Promise<boolean> {
  newGeneration()
  // Record the removal before the other tabs learn of the log-out, so that they too remove what they still write.
  if (ownerUuid) await requestRemoval(ownerUuid)
  await oneAtATime(TOKEN_LOCK, () => tokens.clear())
  await forgetPerson()
  for (const key of DEVICE_KEYS) localStore.removeItem(key)
  // A bookshop’s account stores nothing on the device.
  if (!ownerUuid) return true
  try {
    const { removeForGood } = await import('#sync/leave.ts')
    await removeForGood(ownerUuid)
    return true
  } catch {
    return false
  }
}
