import { expect, test } from 'vitest'
import { UntilCatalogueChange } from './until-catalogue-change.ts'

function counted() {
  const answers = { generation: 0 }
  const facts = new UntilCatalogueChange<number>(answers, 2)
  let asked = 0
  const ask = (key: string) => facts.of(key, async () => (asked += 1))
  return { answers, facts, ask, asked: () => asked }
}

test('a value is loaded once until the catalogue changes', async () => {
  const { answers, ask, asked } = counted()
  await Promise.all([ask('a'), ask('a')])
  expect(asked()).toBe(1)
  answers.generation += 1
  expect(await ask('a')).toBe(2)
})

test('the least recently used value is evicted', async () => {
  const { ask, asked } = counted()
  for (const key of ['a', 'b', 'c']) await ask(key)
  expect(await ask('c')).toBe(3)
  expect(await ask('a')).toBe(4)
  expect(asked()).toBe(4)
})

test('a failure is not cached', async () => {
  const { facts } = counted()
  await expect(facts.of('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await facts.of('a', async () => 7)).toBe(7)
})
