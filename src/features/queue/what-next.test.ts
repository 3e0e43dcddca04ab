import { expect, test } from 'vitest'
import { titleKey, type TitleKey } from '#storage/title-key.ts'
import { nextOfSeries } from '#features/library/order.ts'
import type { ShelfEntry } from '#features/library/shelf-entry.ts'
import { movedTo, onceEach, put, without } from './arrange.ts'
import { offerAfter } from '#routes/-player/FinishedNext.tsx'
import { whatNext } from './what-next.ts'

const key = (slug: string) => titleKey('audio', slug)
const entry = (slug: string, place?: number, more: Partial<ShelfEntry> = {}): ShelfEntry =>
  ({
    ...{ key: key(slug), slug, title: slug, format: 'audioBook', finished: false },
    series:
      place === undefined ? [] : [{ slug: 'tide', name: 'Tide', number: String(place), place, last: 5 }],
    ...more,
  }) as ShelfEntry
const owning = (...entries: ShelfEntry[]) => new Map(entries.map((each) => [each.key, each]))
const queueOf = (...slugs: string[]) => slugs.map((slug) => ({ id: slug, key: key(slug) }))
const after = (
  slug: string,
  owned: ReadonlyMap<TitleKey, ShelfEntry>,
  more: Partial<Parameters<typeof whatNext>[1]> = {},
) => {
  const known = {
    owned,
    opens: () => true,
    atEnd: 'series',
    queue: [],
    leftOut: new Set<TitleKey>(),
    ...more,
  } as const
  const next = whatNext(key(slug), known)
  return next && [next.entry.slug, next.why]
}

test('listening: after a book plays the next of its series, else the first of the queue, else nothing, as set', () => {
  const owned = owning(entry('one', 1), entry('two', 2), entry('skerry'))
  const queue = queueOf('skerry')
  expect(after('one', owned, { queue })).toEqual(['two', 'Book 2 of 5'])
  expect(after('two', owned, { queue })).toEqual(['skerry', 'From your queue'])
  expect(after('one', owned, { queue, atEnd: 'queue' })).toEqual(['skerry', 'From your queue'])
  expect(after('one', owned, { queue, atEnd: 'silence' })).toBeUndefined()
  expect(after('skerry', owned, { queue })).toBeUndefined()
  expect(after('one', owned, { queue, leftOut: new Set([key('two')]) })?.[0]).toBe('skerry')
})

test('listening: never plays a title that is not owned, nor later titles of its series', () => {
  const owned = owning(entry('one', 1), entry('three', 3), entry('between', 1.5))
  expect(nextOfSeries(key('one'), owned)?.entry.slug).toBe('between')
  expect(nextOfSeries(key('between'), owned)).toBeUndefined()
  expect(after('three', owned, { queue: queueOf('not-owned', 'one') })?.[0]).toBe('one')
  expect(
    nextOfSeries(key('one'), owning(entry('one', 1), entry('two', 2, { finished: true }), entry('three', 3)))
      ?.entry.slug,
  ).toBe('three')
})

test('listening: offers the next title of the series if it is not owned, but not before its release', () => {
  const title = (slug: string, more: object = {}) =>
    ({
      number: slug,
      title: slug,
      storyPlace: 1,
      comesOut: null,
      audioBook: { slug, inLibrary: false },
      ...more,
    }) as never
  const series = {
    title: 'Tide',
    last: 5,
    inOrder: [title('1'), title('2'), title('3', { comesOut: '2027-01-01' })],
  }
  expect(offerAfter(series, '1')).toMatchObject({ why: 'Book 2 of 5', book: { slug: '2' } })
  expect(offerAfter(series, '2')).toBeUndefined()
  expect(
    offerAfter(
      { ...series, inOrder: [title('1'), title('2', { audioBook: { slug: '2', inLibrary: true } })] },
      '1',
    ),
  ).toBeUndefined()
})

test('listening: skips titles that need a connection while offline', () => {
  const owned = owning(entry('one', 1), entry('two', 2), entry('skerry'), entry('winter'))
  const opens = (each: TitleKey) => each === key('winter')
  expect(after('one', owned, { opens, queue: queueOf('skerry', 'winter') })?.[0]).toBe('winter')
})

const row = (id: string, position: string) => ({ id, kind: 'queue' as const, position, key: key(id) })
const rows = [row('a', 'a0'), row('b', 'a1'), row('c', 'a2')]

test('listening: adding a title that is in the queue already keeps its place; playing it next moves it', () => {
  expect(put(rows, key('b'), 'first', { kind: 'queue' })).toMatchObject([{ id: 'b', position: 'Zz' }])
  expect(put(rows, key('b'), 'last', { kind: 'queue' })).toEqual([])
  expect(put(rows, key('d'), 'last', { kind: 'queue' })[0]!.position > 'a2').toBe(true)
})

test('listening: moving a row changes no other, and a title is in the queue once', () => {
  const [moved] = movedTo(rows, rows[2]!, 1)
  expect([moved?.id, moved!.position > 'a0', moved!.position < 'a1']).toEqual(['c', true, true])
  expect(movedTo(rows, rows[0]!, 9)[0]!.position > 'a2').toBe(true)
  // Two devices added it independently, at the same position.
  const twice = [row('a', 'a0'), { ...row('a', 'a0'), id: 'other' }, row('b', 'a1')]
  expect(onceEach(twice).map(({ id }) => id)).toEqual(['a', 'b'])
  expect(without(twice, key('a')).map(({ id, removed }) => [id, removed])).toEqual([
    ['a', true],
    ['other', true],
  ])
  expect(movedTo([twice[0]!, { ...row('c', 'a0') }], row('b', 'a1'), 1)[0]!.position > 'a0').toBe(true)
})
