const PREFIX = 'murmur-personal-'

/** Where the worker keeps the answers that only this user may see again. */
export const personalCacheName = (userUuid: string) => PREFIX + userUuid

/** Log-out: every personal answer goes, whoever's it was. Works from the page as well as from the worker. */
export async function forgetPersonalAnswers(): Promise<void> {
  if (!globalThis.caches) return
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(PREFIX)).map((name) => caches.delete(name)))
}
