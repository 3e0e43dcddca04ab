import { expect, test } from 'vitest'
import { titleKey } from '#storage/title-key.ts'
import { findTitles } from './find.ts'
import { inSeries, ordered, stacked } from './order.ts'
import type { ShelfEntry } from './shelf-entry.ts'
import { rememberView, searchOf, type Sort, viewOf } from './view.ts'

function aTitle(title: string, more: Partial<ShelfEntry> = {}): ShelfEntry {
  const slug = title.toLowerCase().replaceAll(/\W+/g, '-')
  return {
    ...{
      key: titleKey('audio', slug),
      slug,
      title,
      author: '',
      format: 'audioBook',
      to: `/audiobooks/${slug}`,
    },
    picture: {
      avif: { 330: '', 600: '', 900: '' },
      webp: { 330: '', 600: '', 900: '' },
      width: 1,
      height: 1,
    },
    ...{ share: 0, words: '', finished: false, heardAtMs: undefined, shortRecording: false, addedAtMs: 0 },
    ...{ seconds: 0, secondsLeft: undefined, pages: 0, authorsLast: '', names: [], series: [], source: {} },
    ...more,
  }
}

const tide = (place: number) => [
  { slug: 'tide', name: 'The Tide Books', number: String(place), place, last: 2 },
]
const titles = [
  aTitle('The Salt Ledger', {
    ...{
      addedAtMs: 1,
      authorsLast: 'Tarrant Imogen',
      names: ['Imogen Tarrant', 'Della Voss', 'The Tide Books'],
    },
    ...{ seconds: 900, secondsLeft: 300, share: 0.66, heardAtMs: 5, series: tide(2) },
  }),
  aTitle('Äpfel und Öl', { addedAtMs: 3, authorsLast: 'Brandt Katya', seconds: 300, secondsLeft: 300 }),
  aTitle('A Field Guide to Small Hours', {
    ...{
      addedAtMs: 2,
      authorsLast: 'Marlow Edda',
      seconds: 600,
      secondsLeft: 0,
      finished: true,
      heardAtMs: 9,
    },
    ...{ names: ['The Tide Books'], series: tide(1) },
  }),
  aTitle('Letters', {
    format: 'eBook',
    addedAtMs: 0,
    authorsLast: 'Abel Zoë',
    names: ['Zoë Abel'],
    pages: 90,
  }),
]
const initials = (items: readonly { title: string }[]) =>
  items.map(({ title }) => title.slice(0, 5)).join(', ')
const find = (typed: string) => initials(findTitles(titles, typed))

test('listening: searches the library by title, author, narrator and series, by prefix', () => {
  expect(find('sal')).toBe('The S')
  expect(find('imogen led')).toBe('The S')
  expect(find('voss')).toBe('The S')
  expect(find('tide')).toBe('The S, A Fie')
  expect(find('  ')).toBe(initials(titles))
  expect(find('nobody')).toBe('')
})

test('listening: search tolerates missing accents, typos and a missing space', () => {
  expect(find('apfel')).toBe('Äpfel')
  expect(find('zoe')).toBe('Lette')
  expect(find('legder')).toBe('The S')
  expect(find('tarant')).toBe('The S')
  expect(find('smallhours')).toBe('A Fie')
  // Each word occurs, but in different titles: similar words match.
  expect(find('letter of zoe')).toBe('')
  expect(find('tixe')).toBe('The S, A Fie')
})

test.each<[Sort, string]>([
  ['added', 'Äpfel, A Fie, The S, Lette'],
  ['heard', 'A Fie, The S, Äpfel, Lette'],
  ['title', 'Äpfel, A Fie, Lette, The S'],
  ['author', 'Lette, Äpfel, A Fie, The S'],
  ['series', 'A Fie, The S, Äpfel, Lette'],
  ['length', 'Äpfel, A Fie, The S, Lette'],
  ['left', 'The S, Äpfel, Lette, A Fie'],
])('listening: the library is sorted by %s', (sort, order) => {
  expect(initials(ordered(titles, sort))).toBe(order)
})

test('listening: a series is one stack, and opens in its order', () => {
  const items = stacked(ordered(titles, 'series'))
  expect(items.map(({ title, words, stack }) => [title, words, stack])).toEqual([
    ['The Tide Books', '2 books, 1 heard', 2],
    ['Äpfel und Öl', '', undefined],
    ['Letters', '', undefined],
  ])
  expect(items[0]).toMatchObject({ to: '/library', search: { series: 'tide' } })
  expect(initials(inSeries(titles, 'tide'))).toBe('A Fie, The S')
})

test('listening: sort and filter are in the address; missing ones come from the last choice', () => {
  expect(searchOf({ sort: 'left', show: 'begun', q: 'sal', more: 1, series: '' })).toEqual({
    ...{ sort: 'left', show: 'begun', q: 'sal' },
  })
  expect(searchOf({ sort: 'nonsense', show: 7, q: 1984 })).toEqual({ q: '1984' })
  expect(viewOf({})).toMatchObject({ sort: 'added', show: undefined, q: '' })
  rememberView({ sort: 'left', show: 'begun' })
  expect(viewOf({})).toMatchObject({ sort: 'left', show: 'begun' })
  expect(viewOf({ sort: 'title' })).toMatchObject({ sort: 'title', show: 'begun' })
})
