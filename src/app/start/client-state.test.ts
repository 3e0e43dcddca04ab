// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aTitle, signIn } from '#tests/support/card-shop.tsx'

const CART = '0198c0de-0000-4000-8000-000000000001'
const modules = async () => ({
  session: await import('#session/store.ts'),
  player: await import('#features/player/store.ts'),
  bag: await import('#features/bag/store.ts'),
  library: await import('#features/library/queries.ts'),
  order: await import('#features/checkout/store.ts'),
  redemption: await import('#features/cards/store.ts'),
})

beforeEach(() => vi.resetModules())
afterEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('ENT-33: each part of the state has one owner; bag, order and code survive a reload, the rest is fetched', async () => {
  const before = await modules()
  before.bag.storeCartId(CART)
  before.order.rememberPayment({ order: 'o1', secret: 's1', newUser: false })
  const seen = { redeemed: false, outlet: { name: 'Corner House Books' }, audioBook: aTitle() }
  before.redemption.storeCode('REDEEM-2345-6789', seen, null)
  before.player.usePlayer.setState({ display: 'full' })
  const { becomeUser, useSession } = before.session
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, signIn())
  expect(useSession.getState().user).toMatchObject({ uuid: 'nell' })

  vi.resetModules()
  const after = await modules()
  expect(after.bag.guestCart()).toBe(CART)
  expect(after.order.pendingPayment()).toMatchObject({ order: 'o1' })
  expect(after.redemption.storedCode()).toMatchObject({
    code: 'REDEEM-2345-6789',
    bookshop: 'Corner House Books',
  })
  expect(after.player.usePlayer.getState()).toMatchObject({ display: 'mini', state: { title: undefined } })
  expect(after.session.useSession.getState()).toMatchObject({ ready: false, user: null })
  // The library is cached per user.
  expect(after.library.libraryQuery('nell').queryKey).not.toEqual(after.library.libraryQuery('una').queryKey)
})
