/**
 * Import the file: the package's entry is a build for browsers that the shop does not support, twice the
 * size.
 */
import { Workbox } from 'workbox-window/Workbox.js'

interface Container {
  readonly controller: unknown
  addEventListener: (type: 'controllerchange', run: () => void, options: { once: boolean }) => void
}

const container = () =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the browser’s that is named above
  (globalThis.navigator as unknown as { serviceWorker?: Container } | undefined)?.serviceWorker

/** How often an open tab checks for a new release. */
const ASK_EVERY_MS = 60 * 60_000
/** Some browsers never tell the page that the new worker took over. */
const TAKEOVER_MS = 3_000
/** While a worker activates it deletes old files, which takes seconds on a busy device. */
const ACTIVATION_MS = 20_000

/** Lets the waiting release take over, then calls `reload` once. Call it when nothing is playing. */
export type TakeOver = (reload: () => void) => void

/**
 * Registers the worker and calls back for each new release that waits for consent: at once if one already
 * does. Never activates it without consent (trap 17); the first release needs none. Returns a stop.
 */
export async function watchForUpdate(
  onWaiting: (takeOver: TakeOver) => void,
  address = '/service-worker.js',
): Promise<() => void> {
  const workers = container()
  if (!workers) return () => undefined
  const offered = new WeakSet<object>()
  const offer = (release: object | null | undefined) => {
    if (!release || workers.controller === null || offered.has(release)) return
    offered.add(release)
    onWaiting((reload) => takeOver(watching, reload))
  }
  const watch = async (): Promise<Watching> => {
    const workbox = new Workbox(address, { scope: '/' })
    /**
     * One minute after registering, Workbox takes a release for another tab's and stops listening, so
     * register a new instance.
     */
    const listenOn = ({ isExternal }: { isExternal?: boolean }) => {
      if (isExternal && watching.workbox === workbox) begin().catch(() => undefined)
    }
    // Not `waiting`, which is dispatched 200 ms late.
    workbox.addEventListener('installed', (event) => {
      offer(event.sw)
      listenOn(event)
    })
    workbox.addEventListener('redundant', listenOn)
    return { workbox, registration: await workbox.register({ immediate: true }) }
  }
  let watching: Watching
  const begin = async () => {
    watching = await watch()
    offer(watching.registration?.waiting)
  }
  await begin()
  const ask = async () => {
    await watching.workbox.update()
    offer(watching.registration?.waiting)
  }
  const timer = setInterval(() => void ask().catch(() => undefined), ASK_EVERY_MS)
  return () => clearInterval(timer)
}

interface Watching {
  readonly workbox: Workbox
  readonly registration: { readonly waiting: ServiceWorker | null } | undefined
}

function takeOver({ workbox, registration }: Watching, reload: () => void): void {
  const release = registration?.waiting
  // Another tab has let it take over already.
  if (!release) return reload()
  let done = false
  const once = () => {
    if (done) return
    done = true
    reload()
  }
  // Not `controlling`: in Chromium a page that loads while its worker is still activating may never get an answer.
  release.addEventListener('statechange', () => {
    if (release.state === 'activated') once()
  })
  workbox.messageSkipWaiting()
  setTimeout(() => {
    if (release.state === 'activating') setTimeout(once, ACTIVATION_MS - TAKEOVER_MS)
    else once()
  }, TAKEOVER_MS)
}

/** Calls back when this device's first worker takes control of the page, which had none. */
export function onFirstTakeover(run: () => void): void {
  const workers = container()
  if (workers && !workers.controller) workers.addEventListener('controllerchange', run, { once: true })
}
