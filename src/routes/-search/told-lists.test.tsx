// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { giveConsent } from '#features/analytics/track.ts'
import type { DataLayerEvent } from '#features/analytics/events.ts'
import type { Exchange } from '#net/settings.ts'
import { becomeVisitor } from '#session/store.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { appAt, listOf, shopAnswers } from '#tests/support/app.tsx'

const told = () =>
  ((window.dataLayer ?? []) as DataLayerEvent[]).filter(({ event }) => event === 'view_item_list')

/** Fourteen titles, twelve on a page. */
const shelf = ({ search }: Exchange) => {
  const first = (Number(search?.get('page') ?? 1) - 1) * 12
  const members = Array.from({ length: Math.min(12, 14 - first) }, (_, index) =>
    aTitle({
      id: first + index,
      slug: `book-${first + index + 1}`,
      price: 10,
      subscriptionPrice: 8,
    }),
  )
  return listOf(members, 14)
}

beforeEach(() => {
  localStorage.clear()
  delete window.dataLayer
  becomeVisitor()
  giveConsent('on')
})
afterEach(cleanup)

test.each([
  ['Search results', '/search-books?keyword=harbour'],
  ['Current highlights', '/subscriber-selection?page=1&itemsPerPage=12'],
])('ANLT-07 ANLT-02: “%s” are told page by page as they are loaded, each once', async (name, address) => {
  shopAnswers({ '/api/search_books': shelf, '/api/audio_books/second_editions': shelf })
  await appAt(address)
  await soon(() => expect(told()).toHaveLength(1))
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
  await soon(() => expect(told()).toHaveLength(2))
  const [first, second] = told()
  expect(first!.ecommerce.item_list_name).toBe(name)
  expect(first!.ecommerce.items).toHaveLength(12)
  expect(second!.ecommerce.items).toMatchObject([
    { item_id: 'audio_books/book-13', price: 10, index: 13 },
    { item_id: 'audio_books/book-14', price: 10, index: 14 },
  ])
})
