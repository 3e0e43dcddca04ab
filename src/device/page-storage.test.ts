// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** A page that has just been loaded. */
async function freshPage() {
  vi.resetModules()
  return import('./page-storage.ts')
}

/** As a browser does whose visitor has blocked all site data: the name alone throws. */
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

test('what is kept lies in the browser’s own storage, and nobody is told anything', async () => {
  const { kept, tabStorage, isForgetful, onNothingKept } = await freshPage()
  const say = vi.fn<() => void>()
  onNothingKept(say)
  kept.setItem('cartId', 'a')
  tabStorage.setItem('asked', '1')
  expect([localStorage.getItem('cartId'), sessionStorage.getItem('asked')]).toEqual(['a', '1'])
  kept.removeItem('cartId')
  expect([kept.getItem('cartId'), tabStorage.getItem('asked')]).toEqual([null, '1'])
  expect([say.mock.calls.length, isForgetful()]).toEqual([0, false])
})

test('where storage is blocked the page remembers by itself, and says so once', async () => {
  blockStorage()
  const { kept, tabStorage, isForgetful, onNothingKept } = await freshPage()
  const say = vi.fn<() => void>()
  onNothingKept(say)
  expect([kept.getItem('cartId'), say.mock.calls.length, isForgetful()]).toEqual([null, 0, false])

  kept.setItem('cartId', 'a')
  tabStorage.setItem('cartId', 'b')
  expect([kept.getItem('cartId'), tabStorage.getItem('cartId')]).toEqual(['a', 'b'])
  expect([say.mock.calls.length, isForgetful()]).toEqual([1, true])
  kept.removeItem('cartId')
  expect(kept.getItem('cartId')).toBeNull()
})

test('what a full storage refuses wins over what lies in it from before', async () => {
  localStorage.setItem('cartId', 'old')
  const { kept } = await freshPage()
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  kept.setItem('cartId', 'new')
  expect(kept.getItem('cartId')).toBe('new')
  vi.restoreAllMocks()
  kept.setItem('cartId', 'newer')
  expect([kept.getItem('cartId'), localStorage.getItem('cartId')]).toEqual(['newer', 'newer'])
})

test('a reload that the shop asks for takes along what only the page knows, once', async () => {
  blockStorage()
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  history.replaceState({ key: 'of the router' }, '')
  const before = await freshPage()
  before.kept.setItem('cartId', 'a')
  before.reloadPage()
  expect(reload).toHaveBeenCalledOnce()

  const after = await freshPage()
  const say = vi.fn<() => void>()
  after.onNothingKept(say)
  expect(after.kept.getItem('cartId')).toBe('a')
  expect(history.state).toEqual({ key: 'of the router' })
  after.kept.setItem('token', 't')
  expect(say).not.toHaveBeenCalled()
})

test('with storage nothing is written into the history', async () => {
  vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  history.replaceState({ key: 'of the router' }, '')
  const { kept, reloadPage } = await freshPage()
  kept.setItem('token', 't')
  reloadPage()
  expect(history.state).toEqual({ key: 'of the router' })
})
