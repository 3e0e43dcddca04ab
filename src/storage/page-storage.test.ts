// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A page that has just been loaded. */
async function freshPage() {
  vi.resetModules()
  return import('./page-storage.ts')
}

/** Like a browser whose user has blocked all site data: even reading the property throws. */
function blockStorage() {
  for (const name of ['localStorage', 'sessionStorage'] as const)
    vi.spyOn(globalThis, name, 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '')
})
afterEach(() => void vi.restoreAllMocks())

test('values are stored in the browser’s own storage, and no listener is called', async () => {
  const { localStore, tabStorage, isForgetful, onStorageRefused } = await freshPage()
  const say = vi.fn<() => void>()
  onStorageRefused(say)
  localStore.setItem('cartId', 'a')
  tabStorage.setItem('asked', '1')
  expect([localStorage.getItem('cartId'), sessionStorage.getItem('asked')]).toEqual(['a', '1'])
  localStore.removeItem('cartId')
  expect([localStore.getItem('cartId'), tabStorage.getItem('asked')]).toEqual([null, '1'])
  expect([say.mock.calls.length, isForgetful()]).toEqual([0, false])
})

test('if storage is blocked, the page keeps values in memory and reports it once', async () => {
  blockStorage()
  const { localStore, tabStorage, isForgetful, onStorageRefused } = await freshPage()
  const say = vi.fn<() => void>()
  onStorageRefused(say)
  expect([localStore.getItem('cartId'), say.mock.calls.length, isForgetful()]).toEqual([null, 0, false])

  localStore.setItem('cartId', 'a')
  tabStorage.setItem('cartId', 'b')
  expect([localStore.getItem('cartId'), tabStorage.getItem('cartId')]).toEqual(['a', 'b'])
  expect([say.mock.calls.length, isForgetful()]).toEqual([1, true])
  localStore.removeItem('cartId')
  expect(localStore.getItem('cartId')).toBeNull()
})

test('a value that a full storage refused wins over the older stored one', async () => {
  localStorage.setItem('cartId', 'old')
  const { localStore } = await freshPage()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  localStore.setItem('cartId', 'new')
  expect(localStore.getItem('cartId')).toBe('new')
  vi.restoreAllMocks()
  localStore.setItem('cartId', 'newer')
  expect([localStore.getItem('cartId'), localStorage.getItem('cartId')]).toEqual(['newer', 'newer'])
})

test('a reload by the app carries over the values in memory, once', async () => {
  blockStorage()
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  history.replaceState({ key: 'of the router' }, '')
  const before = await freshPage()
  before.localStore.setItem('cartId', 'a')
  before.reloadPage()
  expect(reload).toHaveBeenCalledOnce()

  const after = await freshPage()
  const say = vi.fn<() => void>()
  after.onStorageRefused(say)
  expect(after.localStore.getItem('cartId')).toBe('a')
  expect(history.state).toEqual({ key: 'of the router' })
  after.localStore.setItem('token', 't')
  expect(say).not.toHaveBeenCalled()
})

test('with working storage nothing is written into the history', async () => {
  vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  history.replaceState({ key: 'of the router' }, '')
  const { localStore, reloadPage } = await freshPage()
  localStore.setItem('token', 't')
  reloadPage()
  expect(history.state).toEqual({ key: 'of the router' })
})

test('values that the previous release carried over its reload are found', async () => {
  history.replaceState({ unkept: { localStorage: [['cartId', 'a']] } }, '')
  const { localStore } = await freshPage()
  expect(localStore.getItem('cartId')).toBe('a')
})
