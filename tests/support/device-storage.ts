import { expect, type Page } from '@playwright/test'

/** Deletes a chunk of downloaded sound, as a browser may do without asking. */
export function loseChunk(page: Page, slug: string, chapter: number): Promise<void> {
  return page.evaluate(
    async ({ title, number }) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
      const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
      const db = await done(indexedDB.open(names.find((name) => name.startsWith('murmur-sound-'))!))
      const chunks = db.transaction('chunks', 'readwrite').objectStore('chunks')
      const key = [title, number, 0]
      if (!(await done(chunks.get(key)))) throw new Error(`Chapter ${number} of ${title} is not here`)
      await done(chunks.delete(key))
      db.close()
    },
    { title: `audio/${slug}`, number: chapter },
  )
}

/** Whether the worker has a chapter's sound for the logged-in user, requested as the player does. */
export function soundIsHere(page: Page, slug: string, chapter: number): Promise<boolean> {
  return page.evaluate(async (path) => {
    const claims: { sub: string } = JSON.parse(atob(localStorage.getItem('token')!.split('.')[1]!))
    const headers = { range: 'bytes=0-1' }
    return (await fetch(`/device/sound/${claims.sub}/${path}`, { headers })).status === 206
  }, `${slug}/${chapter}`)
}

/** Bytes: enough for the app and its pictures, but soon used up. */
const LITTLE = 48_000_000

/**
 * Gives the device little storage. Call it before the first page: the browser measures free space only every half
 * minute, or when a write needs more than its last measurement, which is small on such a device.
 */
export async function littleRoom(page: Page, origin: string): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: LITTLE })
}

/**
 * Sets how many bytes this origin of a small device may still store; `undefined` lifts the limit.
 * Resolves when the browser applies it.
 */
export async function leaveRoom(page: Page, bytes: number | undefined): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const origin = new URL(page.url()).origin
  const { usage } = await browser.send('Storage.getUsageAndQuota', { origin })
  await browser.send('Storage.overrideQuotaForOrigin', {
    origin,
    ...(bytes === undefined ? {} : { quotaSize: usage + bytes }),
  })
  if (bytes === undefined) return
  await expect.poll(() => page.evaluate(fits, LITTLE), { timeout: 45_000, intervals: [1_000] }).toBe(false)
}

/** Waits until the worker has finished its background caching, so that nothing else fills the device. */
export async function workerAtRest(page: Page): Promise<void> {
  let before = -1
  const isStill = async () => {
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const sizes = await Promise.all(
        names.map(async (name) => (await (await caches.open(name)).keys()).length),
      )
      return sizes.reduce((sum, size) => sum + size, 0)
    })
    const still = kept === before
    before = kept
    return still
  }
  await expect.poll(isStill, { timeout: 60_000, intervals: [2_500] }).toBe(true)
}

/** Whether this number of bytes can be written; the data is removed again. */
async function fits(bytes: number): Promise<boolean> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('room-of-a-test')
    request.onupgradeneeded = () => request.result.createObjectStore('bytes')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const write = db.transaction('bytes', 'readwrite')
  write.objectStore('bytes').put(new Uint8Array(bytes), 'all')
  write.objectStore('bytes').clear()
  return new Promise<boolean>((resolve) => {
    write.oncomplete = () => resolve(true)
    write.onabort = () => resolve(false)
  }).finally(() => db.close())
}

/** The stored position on this device in seconds, 0 if missing. */
export function storedSeconds(page: Page, slug: string): Promise<number> {
  return page.evaluate(async (book) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
    const name = names.find((each) => each.startsWith('murmur-places-'))
    if (!name) return 0
    const db = await done(indexedDB.open(name))
    const place = await done<{ seconds: number } | undefined>(
      db.transaction('places').objectStore('places').get(book),
    )
    db.close()
    return place?.seconds ?? 0
  }, slug)
}
