import type { HeardPlace } from './place.ts'

export type WorkerMessage =
  /** The listener agreed to the update; the waiting worker takes over. */
  | { type: 'SKIP_WAITING' }
  /** Public addresses to fetch and cache with their covers, and pages whose answers to cache. */
  | { type: 'WARM'; addresses: string[]; pages: string[] }
  /** The network is unmetered and the page is idle: update this device's catalogue. */
  | { type: 'KEEP_CATALOGUE' }
  | PlaceOnClose

/** The library that the worker answered from its cache has changed; this is the new one. */
export interface PageMessage {
  type: 'SHELF_RENEWED'
  ownerUuid: string
}

/** The last position of a closing page: the worker stores it and has it sent. */
export interface PlaceOnClose {
  type: 'HEARD'
  ownerUuid: string
  heard: HeardPlace
}

export const OUTBOX_SYNC = 'murmur-outbox'

/** Marks an answer as cached, so that it isn't taken for a fresh one. */
export const KEPT_HEADER = 'x-murmur-kept'
/** Marks an answer from this device's catalogue with the time the server last confirmed it (`net/connectivity.ts`). */
export const CATALOGUE_CHECKED_HEADER = 'x-murmur-catalogue-checked'

interface WorkerContainer {
  readonly controller: { postMessage: (message: unknown) => void } | null
  readonly ready: Promise<{ active: { postMessage: (message: unknown) => void } | null }>
}
const container = () =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the browser’s that is named above
  (globalThis.navigator as unknown as { serviceWorker?: WorkerContainer } | undefined)?.serviceWorker

/** Answers that the server rendered into a page never passed through the worker. */
export async function warmCatalogue(addresses: string[], pages: string[]): Promise<void> {
  const message: WorkerMessage = { type: 'WARM', addresses, pages }
  const ready = await container()?.ready
  ready?.active?.postMessage(message)
}

export async function keepCatalogue(): Promise<void> {
  const message: WorkerMessage = { type: 'KEEP_CATALOGUE' }
  const ready = await container()?.ready
  ready?.active?.postMessage(message)
}

/** Asks the browser to flush the outbox when the network is back, even with the tab closed. A bonus only. */
export async function askForSync(): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- not every browser has it
  const ready = (await container()?.ready) as
    | { sync?: { register: (tag: string) => Promise<void> } }
    | undefined
  await ready?.sync?.register(OUTBOX_SYNC).catch(() => undefined)
}

const PREFIX = 'murmur-personal-'

/** The worker's cache of answers that only this user may see again. */
export const personalCacheName = (userUuid: string) => PREFIX + userUuid

export async function forgetPersonalAnswers(butOf?: string): Promise<void> {
  if (!globalThis.caches) return
  const names = (await caches.keys()).filter(
    (name) => name.startsWith(PREFIX) && name !== PREFIX + (butOf ?? ''),
  )
  await Promise.all(names.map((name) => caches.delete(name)))
}
