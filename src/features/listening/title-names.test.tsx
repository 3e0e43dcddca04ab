// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { soon } from '#tests/support/wait-for.ts'
import { useTitleNames } from './queries.ts'

const { asked } = vi.hoisted(() => ({ asked: [] as string[] }))
vi.mock('#features/downloads/lazy.ts', () => ({
  storedTitle: async (slug: string) =>
    slug === 'salt'
      ? { title: 'The Salt Ledger', files: [{ chapter: 1, name: 'The tide table' }] }
      : undefined,
}))
vi.mock('#features/catalogue/queries.ts', () => ({
  bookQuery: (_kind: string, slug: string) => ({
    queryKey: ['book', slug],
    queryFn: async () => {
      asked.push(slug)
      return { title: 'Tidewrack', chapters: [{ chapterOrderNumber: 2, chapterTitle: 'Ebb' }] }
    },
  }),
}))
afterEach(cleanup)

test('listening: reads a book’s names from this device, and otherwise fetches them', async () => {
  const client = new QueryClient()
  const { result, rerender } = renderHook(useTitleNames, {
    initialProps: undefined as string | undefined,
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  expect(result.current).toBeUndefined()
  rerender('salt')
  await soon(() =>
    expect(result.current).toEqual({ title: 'The Salt Ledger', chapters: new Map([[1, 'The tide table']]) }),
  )
  expect(asked).toEqual([])
  rerender('tidewrack')
  await soon(() => expect(result.current).toEqual({ title: 'Tidewrack', chapters: new Map([[2, 'Ebb']]) }))
  expect(asked).toEqual(['tidewrack'])
})
