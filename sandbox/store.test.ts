import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { randomNumbers } from '#tests/support/random.ts'
import { Store } from './store.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'murmur-store-'))))
afterEach(() => rmSync(folder, { recursive: true }))
const journal = () => join(folder, 'sandbox.jsonl')

interface Thing {
  readonly id: string
  readonly count: number
}

test('additions, changes and removals survive a restart', () => {
  const store = new Store(folder)
  store.put<Thing>('thing', { id: 'a', count: 1 })
  store.put<Thing>('thing', { id: 'b', count: 1 })
  store.put<Thing>('thing', { id: 'a', count: 2 })
  store.remove('thing', 'b')
  const again = new Store(folder)
  expect(again.all('thing')).toEqual([{ id: 'a', count: 2 }])
})

test('a transaction that throws leaves no changes in memory or on disk', () => {
  const store = new Store(folder)
  expect(() =>
    store.transaction(() => {
      store.put<Thing>('thing', { id: 'a', count: 1 })
      expect(store.get('thing', 'a')).toBeDefined()
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(store.get('thing', 'a')).toBeUndefined()
  expect(new Store(folder).all('thing')).toEqual([])
})

test('ignores a line truncated by a kill; the lines before it and those after the restart remain', () => {
  const store = new Store(folder)
  store.put<Thing>('thing', { id: 'whole', count: 1 })
  store.transaction(() => {
    store.put<Thing>('thing', { id: 'x', count: 1 })
    store.put<Thing>('thing', { id: 'y', count: 1 })
  })
  const last = readFileSync(journal(), 'utf8').trimEnd().split('\n').at(-1)!
  appendFileSync(journal(), last.replaceAll('"x"', '"half"').slice(0, -5))

  const next = new Store(folder)
  next.put<Thing>('thing', { id: 'after', count: 1 })
  expect(new Store(folder).all<Thing>('thing').map(({ id }) => id)).toEqual(['whole', 'x', 'y', 'after'])
})

test('returns copies: only put changes a stored object', () => {
  const store = new Store(folder)
  store.put('thing', { id: 'a', inner: { count: 1 } })
  const taken = store.get<{ id: string; inner: { count: number } }>('thing', 'a')!
  taken.inner.count = 2
  expect(store.get('thing', 'a')).toEqual({ id: 'a', inner: { count: 1 } })
})

test('a lookup by fields finds the same as a full scan, also within a transaction', () => {
  interface Filed extends Thing {
    readonly in: { readonly drawer: string | null }
    readonly colour: string
  }
  const random = randomNumbers()
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const store = new Store(folder)
  const drawers = ['one', 'two', null]
  const change = () => {
    const id = String(Math.floor(random() * 20))
    if (random() < 0.2) store.remove('filed', id)
    else
      store.put<Filed>('filed', {
        id,
        count: 1,
        in: { drawer: pick(drawers) },
        colour: pick(['red', 'blue']),
      })
  }
  const compare = () => {
    for (const drawer of ['one', 'two', 'three', undefined])
      for (const colour of ['red', undefined]) {
        const found = store.where<Filed>('filed', { 'in.drawer': drawer, colour })
        const all = store
          .all<Filed>('filed')
          .filter((each) => (!drawer || each.in.drawer === drawer) && (!colour || each.colour === colour))
        const byId = (these: readonly Filed[]) => these.toSorted((a, b) => Number(a.id) - Number(b.id))
        expect(byId(found)).toEqual(byId(all))
      }
  }
  for (let step = 0; step < 200; step += 1) {
    change()
    store.transaction(() => {
      change()
      compare()
    })
    compare()
  }
})
