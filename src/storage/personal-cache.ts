const PREFIX = 'murmur-personal-'

/** The worker's cache of answers that only this user may see again. */
export const personalCacheName = (userUuid: string) => PREFIX + userUuid

/** Every personal answer goes, whoever's it was, but those of whoever is here now. */
export async function forgetPersonalAnswers(butOf?: string): Promise<void> {
  if (!globalThis.caches) return
  const names = (await caches.keys()).filter(
    (name) => name.startsWith(PREFIX) && name !== PREFIX + (butOf ?? ''),
  )
  await Promise.all(names.map((name) => caches.delete(name)))
}
