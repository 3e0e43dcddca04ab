// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { giveConsent } from '#features/analytics/track.ts'
import type { DataLayerEvent } from '#features/analytics/events.ts'
import type {} from '#features/analytics/track.ts'
import { storeCartId } from '#features/bag/store.ts'
import { NetProblem } from '#net/problem.ts'
import { type Exchange, configureNet } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import type {} from '#app/page/history-state.ts'
import { soon } from '#tests/support/wait-for.ts'
import { BagScreen } from './BagScreen.tsx'

const navigate = vi.fn(async () => undefined)
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => navigate,
  Link: ({ children }: { children: string }) => <a href="#to">{children}</a>,
  createLink: (As: React.ComponentType) => As,
}))
vi.mock('#app/page/PageHead.tsx', () => ({ PageHead: () => null }))

const CART = '0b9d6f0e-5a8e-4c3f-9a57-3f1f3f0f8a11'
const item = (uuid: string, title: string, price: number) => ({
  uuid,
  audioBook: {
    entityType: 'audioBook',
    slug: uuid,
    title,
    price: 12,
    subscriptionPrice: 9.6,
    authors: [{ fullName: 'Orla Finnegan' }],
    inLibrary: false,
    cover330: '/media/a-330.webp',
    cover900: '/media/a-900.webp',
    coverPlaceholder: null,
    containerBackgroundColour: null,
  },
  eBook: null,
  gift: false,
  giftEmail: null,
  giftDeliveryDate: null,
  giftMessage: null,
  price,
  discountPrice: null,
  vat: 1,
  vatPercent: 20,
  available: true,
  geoBlocked: false,
})
const fiver = {
  discount_code: 'FIVER',
  discount_type: 'all',
  relative_discount: null,
  discount_amount: 5,
  saved: 5,
  rounded: false,
}
let discount: typeof fiver | null
let items: ReturnType<typeof item>[]
const cart = () => {
  const before = items.reduce((sum, { price }) => sum + price, 0)
  const total = before - (discount?.saved ?? 0)
  return {
    uuid: CART,
    items,
    itemCount: items.length,
    blocked: items.some(({ geoBlocked }) => geoBlocked),
    discount,
    discountMessage: null,
    sumBeforeDiscount: before,
    sumCheckedForPayment: total,
    sumVat: 1,
    sumNet: total - 1,
    ...(forMembers === undefined ? {} : { sumForMembers: forMembers }),
  }
}
let forMembers: number | undefined
let removal: () => void
let publishableKey: string | null
let sells: object
const exchange = vi.fn(async ({ method, path, json }: Exchange): Promise<unknown> => {
  if (path.endsWith('/payment_settings')) return { publishableKey, ...sells }
  if (method !== 'GET') removal()
  if (method === 'PATCH' && path.includes('/cart_items/')) {
    items = items.map((each) => (path.endsWith(each.uuid) ? { ...each, ...(json as object) } : each))
    return items.find(({ uuid }) => path.endsWith(uuid))
  }
  if (path.endsWith('/availability')) items = items.filter(({ geoBlocked }) => !geoBlocked)
  if (method === 'DELETE') items = items.filter(({ uuid }) => !path.endsWith(uuid))
  return cart()
})
const asked = () =>
  exchange.mock.calls.flatMap(([{ method, path }]) => (path.endsWith('/payment_settings') ? [] : [method]))
const codesSent = () =>
  exchange.mock.calls.filter(([{ path }]) => path.endsWith('/apply-coupon')).map(([{ json }]) => json)

beforeEach(() => {
  vi.clearAllMocks()
  localStorage.clear()
  delete window.dataLayer
  removal = () => {}
  forMembers = undefined
  publishableKey = 'pk_test_1'
  sells = {}
  discount = null
  items = [item('a', 'Oak Gall', 12), item('b', 'Peat', 9.6)]
  configureNet({ exchange, tokens: { read: async () => null } } as unknown as Parameters<
    typeof configureNet
  >[0])
  becomeVisitor()
  storeCartId(CART)
})
afterEach(cleanup)

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BagScreen />
    </QueryClientProvider>,
  )
const remove = async (title: string) => {
  fireEvent.click(await screen.findByRole('button', { name: `Remove ${title}` }))
  await soon(() => expect(screen.queryByRole('button', { name: `Remove ${title}` })).toBeNull())
  await act(async () => undefined)
}

test('BAG-18 DISC-08: after a removal a fixed amount is calculated again, and its new value shown', async () => {
  discount = fiver
  show()
  await remove('Oak Gall')
  await soon(() => expect(codesSent()).toEqual([{ couponCode: 'FIVER' }]))
  expect(screen.getByRole('status').textContent).toBe('Your bag has 1 item totalling £4.60')
})

test('BAG-18: a percentage applies to the remaining items without another request', async () => {
  discount = { ...fiver, discount_amount: null as never, relative_discount: 20 as never }
  show()
  await remove('Oak Gall')
  expect(codesSent()).toEqual([])
})

test('BAG-01 BAG-04: the bag shows its number of titles, the total, and who takes the payment', async () => {
  show()
  expect((await screen.findByRole('status')).textContent).toBe('Your bag has 2 items totalling £21.60')
  expect(screen.getByText('powered by Stripe')).toBeTruthy()
  const sums = screen.getByRole('region', { name: 'Order summary' })
  expect(sums.textContent).toContain('Sub total£20.60')
  expect(sums.textContent).toContain('VAT 20%, audiobooks£2.00')
  expect(sums.textContent).toContain('Total to pay£21.60')
})

test('ROLE-11: the bag shows what the server charges this buyer, including member prices', async () => {
  show()
  await screen.findByText('Peat')
  const line = (title: string) => screen.getByText(title).closest('li')!
  expect(line('Peat').textContent).toContain('£9.60')
  expect(line('Oak Gall').textContent).toContain('£12.00')
})

test('paying: the bag says what a member would pay, if the server says so', async () => {
  show()
  await screen.findByText('Peat')
  expect(screen.queryByText(/for members\./)).toBeNull()
  cleanup()
  forMembers = 17.2
  show()
  await screen.findByText(/^£17\.20 for members\./)
})

const payNow = () => screen.findByRole('button', { name: 'Pay now' })
const isOff = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true'

test('BAG-03: “Pay now” leads to the checkout', async () => {
  show()
  fireEvent.click(await payNow())
  await soon(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/payment' }))
  expect(asked()).toEqual(['GET'])
})

test('in a shop without payment keys the bag says so, and still leads to the checkout for a code', async () => {
  publishableKey = null
  show()
  expect((await screen.findByRole('note')).textContent).toBe(
    'We can’t take payments yet. Your bag waits for you here.',
  )
  expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull()
  expect(screen.queryByText('powered by Stripe')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'I have a code' }))
  await soon(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/payment' }))
})

test('BAG-17: a removal shows its progress, then the item is gone from bag and total', async () => {
  show()
  const button = await screen.findByRole('button', { name: 'Remove Peat' })
  fireEvent.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  await soon(() => expect(screen.queryByText('Peat')).toBeNull())
  expect(screen.getByRole('status').textContent).toBe('Your bag has 1 item totalling £12.00')
})

test('BAG-05: after the last removal the bag says that it is empty, and links home', async () => {
  items = [item('a', 'Oak Gall', 12)]
  show()
  await remove('Oak Gall')
  await screen.findByText('Your bag is empty. The shelves aren’t.')
  expect(screen.getByText('Back to the shop').closest('[to]')?.getAttribute('to')).toBe('/')
})

test('BAG-21: the bag can’t be paid while a gift has no address, or if it costs nothing', async () => {
  items = [{ ...item('a', 'Oak Gall', 12), gift: true }]
  show()
  expect(isOff(await payNow())).toBe(true)
  screen.getByText('Add an email address for each gift first.')
  cleanup()
  items = [{ ...item('a', 'Oak Gall', 12), gift: true, giftEmail: 'mina@harbour.example' as never }]
  show()
  expect(isOff(await payNow())).toBe(false)
  cleanup()
  items = [item('a', 'Oak Gall', 0)]
  show()
  expect(isOff(await payNow())).toBe(true)
})

test('BAG-06 GIFT-09 GIFT-04: each title can be made a gift, and only a gift asks for a recipient', async () => {
  show()
  const toggle = (title: string) =>
    screen.getByRole<HTMLInputElement>('checkbox', { name: `Send as a gift, ${title}` })
  await screen.findByText('Peat')
  expect([toggle('Oak Gall').checked, toggle('Peat').checked]).toEqual([false, false])
  expect(screen.queryByLabelText('Their email')).toBeNull()
  fireEvent.click(toggle('Peat'))
  expect([toggle('Oak Gall').checked, toggle('Peat').checked]).toEqual([false, true])
  const line = screen.getByText('Peat').closest('li')!
  expect(screen.getByLabelText('Their email')).toBe(within(line).getByLabelText('Their email'))
  expect(isOff(await payNow())).toBe(true)
  await soon(() => expect(items[1]!.gift).toBe(true))
  await act(async () => undefined)
  fireEvent.click(toggle('Peat'))
  await soon(() => expect(items[1]!.gift).toBe(false))
  await soon(() => expect(screen.queryByLabelText('Their email')).toBeNull())
  await soon(async () => expect(isOff(await payNow())).toBe(false))
})

test('BAG-24: removing one gift leaves the other one unchanged', async () => {
  const gift = { gift: true, giftEmail: 'mina@harbour.example' as never }
  items = [
    { ...item('a', 'Oak Gall', 12), ...gift },
    { ...item('b', 'Peat', 9.6), gift: true },
  ]
  show()
  expect(isOff(await payNow())).toBe(true)
  await remove('Peat')
  expect(isOff(await payNow())).toBe(false)
  expect(screen.getByLabelText<HTMLInputElement>('Their email').value).toBe('mina@harbour.example')
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true)
})

test('BAG-07: a title not sold in the buyer’s country can only be removed', async () => {
  items = [{ ...item('a', 'Oak Gall', 12), available: false, geoBlocked: true }, item('b', 'Peat', 9.6)]
  show()
  const line = (await screen.findByText('Oak Gall')).closest('li')!
  expect(line.textContent).toContain('Not available in your region')
  expect(within(line).queryByRole('checkbox')).toBeNull()
  expect(within(line).getAllByRole('button')).toHaveLength(1)
})

const blocked = () => ({ ...item('a', 'Oak Gall', 12), available: false, geoBlocked: true })

test('BAG-19: “Pay now” first removes titles not sold in the buyer’s country, then opens the checkout', async () => {
  items = [blocked(), item('b', 'Peat', 9.6)]
  show()
  fireEvent.click(await payNow())
  await soon(() => expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/payment' }))
  const removed = exchange.mock.calls.filter(([{ method }]) => method === 'POST')
  expect(removed.map(([{ path, json }]) => [path, json])).toEqual([
    [`/api/carts/${CART}/availability`, { remove: 1 }],
  ])
  await soon(() => expect(screen.getByRole('status').textContent).toBe('Your bag has 1 item totalling £9.60'))
})

test('BAG-20: if that removal fails the bag is loaded again, and nothing is lost', async () => {
  items = [blocked(), item('b', 'Peat', 9.6)]
  removal = () => {
    throw new NetProblem('server', 503)
  }
  show()
  fireEvent.click(await payNow())
  await soon(() => expect(asked()).toEqual(['GET', 'POST', 'GET']))
  expect((await screen.findByText('Oak Gall')).closest('li')!.textContent).toContain('Not available')
  expect(screen.getByText('Peat')).toBeTruthy()
  expect(navigate).not.toHaveBeenCalled()
})

const told = (event: string) =>
  ((window.dataLayer ?? []) as DataLayerEvent[]).filter((each) => each.event === event)

test('ANLT-06: opening a bag sends one event, with all items, their value and tax', async () => {
  giveConsent('on')
  discount = fiver
  show()
  await soon(() => expect(told('view_cart')).toHaveLength(1))
  expect(told('view_cart')[0]!.ecommerce).toMatchObject({
    value: 16.6,
    tax: 3.32,
    items: [{ item_id: 'audio_books/a' }, { item_id: 'audio_books/b' }],
  })
  await remove('Peat')
  await remove('Oak Gall')
  await screen.findByText('Your bag is empty. The shelves aren’t.')
  expect(told('view_cart')).toHaveLength(1)
})

test('ANLT-04: a removal sends one event with its title, after the server’s confirmation and not if it failed', async () => {
  giveConsent('on')
  removal = () => {
    throw new NetProblem('server', 500)
  }
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Remove Peat' }))
  expect((await screen.findByRole('alert')).textContent).toContain('still in your bag')
  expect(told('remove_from_cart')).toEqual([])
  removal = () => {}
  await remove('Peat')
  await soon(() => expect(told('remove_from_cart')).toHaveLength(1))
  expect(told('remove_from_cart')[0]!.ecommerce.items).toMatchObject([{ item_id: 'audio_books/b' }])
})

test('a buyer in a country that the shop doesn’t sell to is told so, and the bag stays unchanged', async () => {
  sells = { sells: { to: ['GB'], from: 'FR' } }
  show()
  await screen.findByText(/^We’re sorry, we don’t sell to your country yet \(France\)\. Look around/)
  expect(screen.queryByRole('button', { name: 'Pay now' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Remove Oak Gall' })).toBeTruthy()
  expect(asked().filter((method) => method !== 'GET')).toEqual([])
})
