import type { WorkerMessage } from './messages.ts'

interface Worker {
  readonly state: string
  postMessage: (message: WorkerMessage) => void
  addEventListener: (type: 'statechange', run: () => void) => void
}
interface Registration {
  readonly waiting: Worker | null
  readonly installing: Worker | null
  update: () => Promise<unknown>
  addEventListener: (type: 'updatefound', run: () => void) => void
}
interface Container {
  readonly controller: unknown
  register: (address: string, options: { scope: string }) => Promise<Registration>
  getRegistration: () => Promise<Registration | undefined>
  addEventListener: (type: 'controllerchange', run: () => void, options: { once: boolean }) => void
}

const container = () =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the browser’s that is named above
  (globalThis.navigator as unknown as { serviceWorker?: Container } | undefined)?.serviceWorker

/** A tab that lives for days asks this often whether there is a new release. */
const ASK_EVERY_MS = 60 * 60_000
/** Some browsers never tell an uncontrolled page that the new worker took over. */
const TAKEOVER_MS = 3_000

/**
 * Registers the worker and calls back when a new release waits for consent: at once if one already does.
 * Never activates it by itself (trap 17); the first release needs no consent. Returns a stop.
 */
export async function watchForUpdate(
  onWaiting: () => void,
  address = '/service-worker.js',
): Promise<() => void> {
  const workers = container()
  if (!workers) return () => undefined
  const registration = await workers.register(address, { scope: '/' })
  const isUpdate = () => registration.waiting !== null && workers.controller !== null
  if (isUpdate()) onWaiting()
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed' && isUpdate()) onWaiting()
    })
  })
  const timer = setInterval(() => void registration.update().catch(() => undefined), ASK_EVERY_MS)
  return () => clearInterval(timer)
}

/** Calls back when the first worker of this device takes charge of the page, which had none. */
export function onFirstTakeover(run: () => void): void {
  const workers = container()
  if (workers && !workers.controller) workers.addEventListener('controllerchange', run, { once: true })
}

/** Lets the waiting release take over, then calls `reload` once. Call it when nothing is playing. */
export async function applyUpdate(reload: () => void): Promise<void> {
  const workers = container()
  const waiting = (await workers?.getRegistration())?.waiting
  if (!workers || !waiting) return
  let done = false
  const once = () => {
    if (done) return
    done = true
    reload()
  }
  workers.addEventListener('controllerchange', once, { once: true })
  waiting.postMessage({ type: 'SKIP_WAITING' })
  setTimeout(once, TAKEOVER_MS)
}
