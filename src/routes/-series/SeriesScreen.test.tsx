// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Series, SeriesTitle } from '#contract/series.ts'
import { seriesOf } from '#features/series/on-device.ts'
import { connectivity } from '#net/connectivity.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeVisitor } from '#session/store.ts'
import { aBook } from '#tests/support/title-lists.tsx'
import { soon } from '#tests/support/wait-for.ts'
import { appAt, nellIsIn, shopAnswers } from '#tests/support/app.tsx'

afterEach(() => {
  cleanup()
  becomeVisitor()
  vi.restoreAllMocks()
})

const title = (number: number, more: object = {}, book: object | null = {}): SeriesTitle => ({
  number: String(number),
  title: `Harbour 0${number}`,
  storyPlace: number,
  comesOut: null,
  chapterSeconds: [100, 100],
  audioBook: book && (aBook(number, book) as never),
  eBook: null,
  ...more,
})
const aSeries = (inOrder: SeriesTitle[], more: Partial<Series> = {}): Series => ({
  '@context': '/api/contexts/Series',
  '@id': '/api/series/harbours',
  '@type': 'Series',
  id: 1,
  slug: 'harbours',
  title: 'The Harbours',
  titles: inOrder.length,
  last: inOrder.length,
  authors: aBook(1).authors,
  narrators: [],
  hasStoryOrder: false,
  inOrder,
  ...more,
})
const open = async (series: unknown, answers: Record<string, unknown> = {}, at = '/series/harbours') => {
  const shop = shopAnswers({ '/api/series/harbours': series, ...answers })
  const app = await appAt(at)
  await screen.findByRole('heading', { level: 1, name: 'The Harbours' })
  return { ...shop, ...app }
}
const rows = () => within(screen.getByRole('region', { name: /order/ })).getAllByRole('listitem')
const texts = () => rows().map(({ textContent }) => textContent)

test('listening: a series says what one owns, what is missing with its price, and what is to come or not sold here', async () => {
  nellIsIn()
  await open(
    aSeries([
      title(1, {}, { inLibrary: true }),
      title(2, { number: '2.5' }),
      title(3),
      title(4, { title: 'Slack', comesOut: '2027-03-04' }, null),
      title(5, { title: 'Lost' }, null),
    ]),
  )
  expect(screen.getByText('A series of five. You have one.')).toBeTruthy()
  expect(screen.getByText(/for the two you’re missing/).textContent).toContain('£24')
  expect(screen.getByText(/£19\.20 for members/)).toBeTruthy()
  const [owned, novella, third, next, lost] = texts()
  expect(owned).toContain('In your library')
  expect(novella).toMatch(/^Book 2\.5.*£12/)
  expect(third).toContain('Add to bag')
  expect(next).toContain('Out on 4th March 2027')
  expect(lost).toContain('We don’t sell this one')
})

test('listening: all that is missing of a series goes into the bag by one press, and what failed can be tried again', async () => {
  const carts: unknown[] = []
  let fails = true
  const { asked } = await open(aSeries([title(1), title(2), title(3, {}, { published: false })]), {
    'POST /api/cart_items': ({ json }: { json: { audioBook: string } }) => {
      if (fails && json.audioBook.endsWith('2')) throw new NetProblem('server', 500)
      carts.push(json.audioBook)
      return { cart: { uuid: 'c-1' } }
    },
  })
  const press = () =>
    act(async () => fireEvent.click(screen.getByRole('button', { name: 'Add both to bag' })))
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(
    '1 book went into your bag, the rest didn’t. Try again.',
  )
  fails = false
  await press()
  await soon(() => expect(carts).toContain('/api/audio_books/harbour-2'))
  expect(carts).not.toContain('/api/audio_books/harbour-3')
  expect(asked.some(({ path }) => path === '/api/cart_items')).toBe(true)
})

test('listening: an owner of a whole series sees that, and no sum', async () => {
  nellIsIn()
  await open(aSeries([title(1, {}, { inLibrary: true }), title(2, {}, { inLibrary: true })]))
  expect(screen.getByText('Both are yours')).toBeTruthy()
  expect(screen.queryByText(/missing/)).toBeNull()
})

test('listening: the story’s order is offered only if it differs, and is in the address', async () => {
  await open(aSeries([title(1)]))
  expect(screen.queryByRole('link', { name: 'By story' })).toBeNull()
  cleanup()
  const { at } = await open(
    aSeries([title(1, { storyPlace: 2 }), title(2, { storyPlace: 1 })], { hasStoryOrder: true }),
  )
  expect(texts()[0]).toContain('Harbour 01')
  fireEvent.click(screen.getByRole('link', { name: 'By story' }))
  await soon(() => expect(texts()[0]).toContain('Harbour 02'))
  expect(at()).toBe('/series/harbours?order=story')
})

test('listening: offline, a series shows the titles on this device, can add titles to the bag, and says what needs a network', async () => {
  vi.spyOn(connectivity, 'snapshot').mockReturnValue('offline')
  await open(aSeries([title(1)]))
  expect(screen.getAllByRole('button', { name: /Add/ }).length).toBeGreaterThan(0)

  const place = {
    '@id': '',
    '@type': 'Series' as const,
    id: 1,
    slug: 'harbours',
    title: 'The Harbours',
    last: 3,
  }
  const kept = [
    aBook(3, { series: [{ ...place, number: '3' }] }),
    aBook(1, { series: [{ ...place, number: '1' }], chapters: [{ playtime: 9 }] }),
    aBook(2),
  ]
  const held = seriesOf('harbours', kept)!
  expect(
    held.inOrder.map(({ number, title: name, chapterSeconds }) => [number, name, chapterSeconds]),
  ).toEqual([
    ['1', 'Harbour 01', [9]],
    ['3', 'Harbour 03', []],
  ])
  expect(held.inOrder.every(({ audioBook }) => audioBook?.inLibrary)).toBe(true)
  expect(seriesOf('other', kept)).toBeNull()
})

test('listening: a visitor leaves an address to be told about the next title, and confirms it by email', async () => {
  const asked: unknown[] = []
  await open(aSeries([title(1)]), {
    'POST /api/series/harbours/notices': ({ json }: { json: unknown }) => {
      asked.push(json)
      return undefined
    },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Tell me when the next one is out' }))
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Tell me' }))
  expect(await within(dialog).findByText('Email is required')).toBeTruthy()
  fireEvent.change(within(dialog).getByLabelText('Your email'), {
    target: { value: ' hana@murmur.example ' },
  })
  await act(async () => fireEvent.click(within(dialog).getByRole('button', { name: 'Tell me' })))
  expect(await within(dialog).findByText(/We’ve sent you an email/)).toBeTruthy()
  expect(asked).toEqual([{ email: 'hana@murmur.example' }])
})
