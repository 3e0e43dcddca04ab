import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { exchange } from '#net/send.ts'
import { configureNet } from '#net/settings.ts'
import {
  browseQuery,
  categoriesQuery,
  locationsQuery,
  nationalitiesQuery,
  publishersQuery,
  stylesQuery,
} from './queries.ts'
import { fromShop } from '#tests/support/shop-response.ts'

let asked: URL[]

beforeEach(() => {
  asked = []
  configureNet({
    exchange,
    origin: 'http://shop',
    fetch: async (input) => {
      asked.push(new URL(input instanceof Request ? input.url : String(input)))
      return fromShop(JSON.stringify({ 'hydra:member': [], 'hydra:totalItems': 0 }), {
        headers: { 'content-type': 'application/json' },
      })
    },
  })
})

test('CONST-04: filter lookups and categories are asked for whole, 200 at once', async () => {
  const client = new QueryClient()
  await client.fetchQuery(stylesQuery())
  await client.fetchQuery(categoriesQuery())
  await client.fetchQuery(locationsQuery())
  await client.fetchQuery(nationalitiesQuery())
  await client.fetchQuery(publishersQuery())
  expect(asked.map(({ pathname, search }) => pathname + search)).toEqual(
    ['styles', 'categories', 'locations', 'nationalities', 'publishers'].map(
      (name) => `/api/${name}?itemsPerPage=200`,
    ),
  )
})

test('CONST-05: every section of the browse screen asks for twelve books', async () => {
  const client = new QueryClient()
  const sections = [{ edition: true }, {}, { highlight: true }, { category: 4 }, { memoir: true }] as const
  for (const section of sections) await client.fetchQuery(browseQuery({ ...section, styles: [3] }))
  expect(asked).toHaveLength(5)
  for (const { searchParams } of asked) expect(searchParams.get('itemsPerPage')).toBe('12')
})
