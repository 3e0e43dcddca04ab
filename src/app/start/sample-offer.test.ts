// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { shopAnswers } from '#tests/support/app.tsx'
import { aBook } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { currentToast, forgetToasts } from '#ui/toast.ts'
import { createQueryClient } from './query-client.ts'
import { offerBook } from './sample-offer.ts'

const visit = vi.fn()
const offered = async (fields: object = {}) => {
  const book = { ...aBook(1), inLibrary: false, ...fields }
  const { asked } = shopAnswers({
    [`/api/audio_books/${book.slug}`]: book,
    'POST /api/cart_items': { cart: { uuid: crypto.randomUUID() } },
  })
  await offerBook(createQueryClient(), book.slug, visit)
  const { action } = currentToast() ?? {}
  return {
    asked: () => asked.map(({ method, path }) => `${method} ${path}`),
    label: action?.label,
    press: () => {
      forgetToasts()
      action!.onPress()
    },
  }
}

afterEach(() => {
  forgetToasts()
  becomeVisitor()
  visit.mockClear()
})

test('after a sample, one press adds the book to the bag at the price in the offer', async () => {
  becomeVisitor()
  const { asked, label, press } = await offered()
  expect(currentToast()?.text).toBe('That was the sample of Harbour 01.')
  expect(label).toBe('Add to bag, £12')
  press()
  await soon(() => expect(asked()).toContain('POST /api/cart_items'))
  await soon(() => expect(currentToast()?.text).toBe('Harbour 01 is in your bag.'))
  currentToast()!.action!.onPress()
  expect(visit).toHaveBeenCalledWith('/shopping-bag')
})

test('a title that the bag refuses says so', async () => {
  becomeVisitor()
  const { press } = await offered()
  shopAnswers({})
  press()
  await soon(() => expect(currentToast()?.text).toMatch(/didn’t go into your bag/))
})

test('what can be had without paying leads to its page', async () => {
  const { label, press } = await offered({ price: 0, subscriptionPrice: 0 })
  press()
  expect([label, visit.mock.calls]).toEqual(['It’s free', [['/audiobooks/harbour-1']]])
})

test.each([
  ['in the library', { inLibrary: true }],
  ['not sold here', { geoBlocked: true }],
])('a title that is %s is not offered', async (_what, fields) => {
  becomeUser({ uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }, null)
  await offered(fields)
  expect(currentToast()).toBeUndefined()
})
