import { expect, test } from 'vitest'
import type { Series } from '#contract/series.ts'
import { aTitle } from '#tests/support/card-shop.tsx'
import { allYours, countWords, inOrder, missingOf, missingWords, sumOf } from './model.ts'

const priced = { published: true, geoBlocked: false, price: 12, subscriptionPrice: 9.6 }
const book = (slug: string, more: object = {}) => aTitle({ slug, ...priced, ...more })
const series = (...titles: readonly object[]) =>
  ({
    inOrder: titles.map((title) => ({ storyPlace: 1, audioBook: null, eBook: null, ...title })),
  }) as Series
const slugs = (titles: ReturnType<typeof inOrder>) => titles.map((title) => title.book?.slug)

test('listening: of a series that is missing which is sold here for money, and owned in no format', () => {
  const owned = { audioBook: book('one'), eBook: book('one-to-read', { inLibrary: true }) }
  const titles = inOrder(
    series(
      owned,
      { audioBook: book('two') },
      {
        audioBook: book('three', { geoBlocked: true }),
        eBook: book('three-to-read', { price: 7.5, subscriptionPrice: 9 }),
      },
      { audioBook: book('to-come', { published: false }) },
      { eBook: book('free', { price: 0 }) },
      {},
    ),
    false,
  )
  // A row is about the format that one owns.
  expect(slugs(titles)).toEqual(['one-to-read', 'two', 'three', 'to-come', 'free', undefined])
  const missing = missingOf(titles)
  expect(missing.map(({ slug }) => slug)).toEqual(['two', 'three-to-read'])
  // A member never pays more than everybody does.
  expect(sumOf(missing, true)).toEqual({ minor: 1710, othersMinor: 1950 })
  expect(sumOf(missing, false)).toEqual({ minor: 1950, othersMinor: 1710 })
  expect(sumOf(missing.slice(1), true)).toEqual({ minor: 750, othersMinor: undefined })
  expect([countWords(titles), allYours(titles)]).toEqual(['A series of six. You have one.', undefined])
  expect([missingWords(1, titles), missingWords(2, titles)]).toEqual([
    'for the one you’re missing',
    'for the two you’re missing',
  ])
  const told = [2, 3, 1].map((storyPlace) => ({ storyPlace, audioBook: book(`told-${storyPlace}`) }))
  expect(slugs(inOrder(series(...told), false))).toEqual(['told-2', 'told-3', 'told-1'])
  expect(slugs(inOrder(series(...told), true))).toEqual(['told-1', 'told-2', 'told-3'])
})

test('listening: owning none or all of a series is shown in words', () => {
  const of = (count: number, more: object = {}) =>
    inOrder(series(...Array.from({ length: count }, () => ({ audioBook: book('one', more) }))), false)
  const words = [1, 2, 3].map((count) => missingWords(count, of(3)))
  expect(words).toEqual(['for the one you can have now', 'for both', 'for all three'])
  expect(countWords(of(11))).toBe('A series of 11.')
  const yours = [0, 1, 2, 5].map((count) => allYours(of(count, { inLibrary: true })))
  expect(yours).toEqual([undefined, 'It’s yours', 'Both are yours', 'All five are yours'])
  expect(countWords(of(2, { inLibrary: true }))).toBe('A series of two.')
})
