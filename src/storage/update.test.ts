// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://shop.test/" }
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onFirstTakeover, type TakeOver, watchForUpdate } from './update.ts'

// Workbox writes log messages for developers.
vi.hoisted(() => Object.assign(globalThis, { __WB_DISABLE_DEV_LOGS: true }))

class Worker extends EventTarget {
  readonly scriptURL = 'http://shop.test/service-worker.js'
  state = 'installing'
  readonly told: unknown[] = []
  postMessage(message: unknown) {
    this.told.push(message)
  }
  becomes(state: string) {
    this.state = state
    this.dispatchEvent(new Event('statechange'))
  }
}

/** Fakes the browser's side: one registration, and whether a worker controls the page. */
class Workers extends EventTarget {
  controller: Worker | null = new Worker()
  readonly registration = Object.assign(new EventTarget(), {
    waiting: null as Worker | null,
    installing: null as Worker | null,
    update: vi.fn(() => Promise.reject(new Error('offline'))),
  })
  register = vi.fn(async () => this.registration)

  /** A new release is found; it waits once it is installed. */
  finds() {
    const coming = new Worker()
    this.registration.installing = coming
    coming.addEventListener('statechange', () => {
      if (coming.state === 'installed') this.registration.waiting = coming
    })
    this.registration.dispatchEvent(new Event('updatefound'))
    return coming
  }
}

let workers: Workers
beforeEach(() => {
  vi.useFakeTimers()
  workers = new Workers()
  vi.stubGlobal('navigator', { serviceWorker: workers })
})
afterEach(() => void vi.useRealTimers())

test('trap 17: reports a waiting release at once, and a later one once it is installed', async () => {
  const onWaiting = vi.fn()
  await watchForUpdate(onWaiting)
  expect(workers.register).toHaveBeenCalledWith('/service-worker.js', { scope: '/' })
  expect(onWaiting).not.toHaveBeenCalled()
  const coming = workers.finds()
  coming.becomes('activating')
  expect(onWaiting).not.toHaveBeenCalled()
  coming.becomes('installed')
  expect(onWaiting).toHaveBeenCalledOnce()
  expect(coming.told).toEqual([])

  await watchForUpdate(onWaiting)
  expect(onWaiting).toHaveBeenCalledTimes(2)
})

test('the first release of a device needs no consent', async () => {
  workers.controller = null
  const onWaiting = vi.fn()
  await watchForUpdate(onWaiting)
  workers.finds().becomes('installed')
  await watchForUpdate(onWaiting)
  expect(onWaiting).not.toHaveBeenCalled()
})

test('a tab that is open for days checks every hour, also after an hour without a network', async () => {
  const stop = await watchForUpdate(() => undefined)
  await vi.advanceTimersByTimeAsync(60 * 60_000 - 1)
  expect(workers.registration.update).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60 * 60_000 + 1)
  expect(workers.registration.update).toHaveBeenCalledTimes(2)
  stop()
  await vi.advanceTimersByTimeAsync(60 * 60_000)
  expect(workers.registration.update).toHaveBeenCalledTimes(2)
})

test('updates are checked at once, even while images are loading, and by one registration', async () => {
  const pageIs = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
  void watchForUpdate(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  expect(workers.register).toHaveBeenCalledOnce()
  pageIs.mockRestore()
  workers.finds().becomes('installed')
  await vi.advanceTimersByTimeAsync(90_000)
  expect(workers.register).toHaveBeenCalledOnce()
  // Found by another tab: Workbox stops listening.
  workers.finds().becomes('installed')
  await vi.advanceTimersByTimeAsync(0)
  expect(workers.register).toHaveBeenCalledTimes(2)
})

test('every release is offered once, whichever tab found it and however late', async () => {
  const onWaiting = vi.fn()
  await watchForUpdate(onWaiting)
  for (let release = 1; release <= 4; release++) {
    await vi.advanceTimersByTimeAsync(90_000)
    workers.finds().becomes('installed')
    expect(onWaiting).toHaveBeenCalledTimes(release)
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(onWaiting).toHaveBeenCalledTimes(release)
  }
  // A failed installation doesn't end the watch.
  workers.finds().becomes('redundant')
  await vi.advanceTimersByTimeAsync(90_000)
  workers.finds().becomes('installed')
  expect(onWaiting).toHaveBeenCalledTimes(5)
})

test('the first takeover is reported once, and never to a page that already has a worker', () => {
  const run = vi.fn()
  onFirstTakeover(run)
  workers.dispatchEvent(new Event('controllerchange'))
  expect(run).not.toHaveBeenCalled()
  workers.controller = null
  onFirstTakeover(run)
  workers.dispatchEvent(new Event('controllerchange'))
  workers.dispatchEvent(new Event('controllerchange'))
  expect(run).toHaveBeenCalledOnce()
})

/** The action behind the update button. */
async function offered(): Promise<TakeOver> {
  let takeOver: TakeOver | undefined
  await watchForUpdate((way) => (takeOver = way))
  workers.finds().becomes('installed')
  return takeOver!
}

test('trap 17: consent activates the waiting release, and the page is reloaded once', async () => {
  const reload = vi.fn()
  const takeOver = await offered()
  const { waiting } = workers.registration
  takeOver(reload)
  expect(waiting?.told).toEqual([{ type: 'SKIP_WAITING' }])
  waiting?.becomes('activating')
  workers.dispatchEvent(new Event('controllerchange'))
  expect(reload).not.toHaveBeenCalled()
  waiting?.becomes('activated')
  expect(reload).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reload).toHaveBeenCalledOnce()
})

test('if another tab has already let the release take over, consent reloads at once', async () => {
  const reload = vi.fn()
  const takeOver = await offered()
  workers.registration.waiting = null
  takeOver(reload)
  expect(reload).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(reload).toHaveBeenCalledOnce()
})

test('a release that takes long to activate is not loaded before it is done, and is loaded after 20 s at the latest', async () => {
  const reload = vi.fn()
  const takeOver = await offered()
  const { waiting } = workers.registration
  takeOver(reload)
  waiting?.becomes('activating')
  await vi.advanceTimersByTimeAsync(19_999)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(reload).toHaveBeenCalledOnce()
  waiting?.becomes('activated')
  expect(reload).toHaveBeenCalledOnce()
})

test('also if the browser never tells the page about the takeover', async () => {
  const reload = vi.fn()
  ;(await offered())(reload)
  await vi.advanceTimersByTimeAsync(2_999)
  expect(reload).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(reload).toHaveBeenCalledOnce()
})

test('a browser without service workers has no releases to wait for', async () => {
  vi.stubGlobal('navigator', {})
  const never = vi.fn()
  ;(await watchForUpdate(never))()
  onFirstTakeover(never)
  expect(never).not.toHaveBeenCalled()
})
