// @vitest-environment happy-dom
import { cleanup, render, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { becomeVisitor, useSession } from '#session/store.ts'
import { giveConsent } from './track.ts'
import type { DataLayerEvent } from './events.ts'
import { track } from './track.ts'
import { useBookView, useListViews } from './use-views.ts'

const book = (slug: string, entityType: 'audioBook' | 'eBook' = 'audioBook') => ({
  entityType,
  slug,
  title: slug,
  price: 10,
  subscriptionPrice: 8,
})
const layer = () => (window.dataLayer ?? []) as DataLayerEvent[]
const List = ({ keyword, pages }: { keyword: string; pages: ReturnType<typeof book>[][] }) => {
  useListViews({ list: 'Search results', key: keyword, pages })
  return null
}
const Page = ({ of }: { of: ReturnType<typeof book> }) => {
  useBookView(of)
  return null
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 30))

beforeEach(() => {
  localStorage.clear()
  delete window.dataLayer
  becomeVisitor()
})
afterEach(cleanup)

test('ANLT-01: before consent nothing is pushed, and what was seen then is not told afterwards', async () => {
  await track((events) => events.viewItem(book('one')))
  const { rerender } = render(<Page of={book('one')} />)
  await settled()
  expect(window.dataLayer).toBeUndefined()
  giveConsent('on')
  await settled()
  expect(window.dataLayer).toBeUndefined()
  rerender(<Page of={book('two')} />)
  await waitFor(() => expect(layer().map(({ event }) => event)).toEqual(['view_item']))
  giveConsent('off')
  rerender(<Page of={book('three')} />)
  await settled()
  expect(layer()).toHaveLength(1)
})

test('each page of a list is tracked once, however often it renders', async () => {
  giveConsent('on')
  const first = [book('one'), book('two')]
  const { rerender } = render(<List keyword="ferry" pages={[]} />)
  rerender(<List keyword="ferry" pages={[first]} />)
  rerender(<List keyword="ferry" pages={[first]} />)
  await waitFor(() => expect(layer()).toHaveLength(1))
  rerender(<List keyword="ferry" pages={[first, [book('three')]]} />)
  await waitFor(() => expect(layer()).toHaveLength(2))
  expect(layer()[1]!.ecommerce.items).toMatchObject([{ item_id: 'audio_books/three', index: 3 }])
  rerender(<List keyword="harbour" pages={[[book('four')]]} />)
  await waitFor(() => expect(layer()).toHaveLength(3))
  await settled()
  expect(layer()).toHaveLength(3)
})

test('a member is told with what a member pays, once it is known who is here', async () => {
  giveConsent('on')
  useSession.setState({ ready: true, status: 'user', user: null })
  render(<Page of={book('one')} />)
  await settled()
  expect(layer()).toHaveLength(0)
  useSession.setState({ user: { currentSubscription: {} } as never })
  await waitFor(() => expect(layer()[0]?.ecommerce.value).toBe(8))
})
