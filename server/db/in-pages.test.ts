import { expect, test } from 'vitest'
import { inPages } from './in-pages.ts'

async function all(keys: readonly string[], limit: number) {
  const asked: (string | null)[] = []
  const pages: string[][] = []
  const select = ({ after }: { readonly after: string | null }) => {
    asked.push(after)
    const rest = keys.filter((key) => after === null || key > after)
    return Promise.resolve(rest.slice(0, limit))
  }
  for await (const page of inPages(select, (key) => key, limit)) pages.push(page)
  return { asked, pages }
}

test('every row is returned once, and each page starts after the last row of the previous one', async () => {
  expect(await all(['a', 'b', 'c'], 2)).toEqual({ asked: [null, 'b'], pages: [['a', 'b'], ['c']] })
  expect(await all(['a', 'b'], 2)).toEqual({ asked: [null, 'b'], pages: [['a', 'b'], []] })
  expect(await all([], 2)).toEqual({ asked: [null], pages: [[]] })
})

test('leaving the loop stops further queries', async () => {
  let asked = 0
  const select = () => {
    asked += 1
    return Promise.resolve(['a', 'b'])
  }
  for await (const page of inPages(select, (key) => key, 2)) {
    expect(page).toEqual(['a', 'b'])
    break
  }
  expect(asked).toBe(1)
})
