import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Store } from './store.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'murmur-store-'))))
afterEach(() => rmSync(folder, { recursive: true }))
const journal = () => join(folder, 'sandbox.jsonl')

interface Thing {
  readonly id: string
  readonly count: number
}

test('what was put, changed and removed is so after the next opening', () => {
  const store = new Store(folder)
  store.put<Thing>('thing', { id: 'a', count: 1 })
  store.put<Thing>('thing', { id: 'b', count: 1 })
  store.put<Thing>('thing', { id: 'a', count: 2 })
  store.remove('thing', 'b')
  const again = new Store(folder)
  expect(again.all('thing')).toEqual([{ id: 'a', count: 2 }])
})

test('a transaction that throws leaves nothing, neither in memory nor on disk', () => {
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

test('a line that a kill cut short is as if it had never been; the lines before it and after the next start stand', () => {
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

test('what is handed out is a copy: only a put changes what is kept', () => {
  const store = new Store(folder)
  store.put('thing', { id: 'a', inner: { count: 1 } })
  const taken = store.get<{ id: string; inner: { count: number } }>('thing', 'a')!
  taken.inner.count = 2
  expect(store.get('thing', 'a')).toEqual({ id: 'a', inner: { count: 1 } })
})
