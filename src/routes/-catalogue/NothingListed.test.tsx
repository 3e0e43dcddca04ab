// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MESSAGES } from '#contract/messages.ts'
import { NothingListed } from './ListingScreen.tsx'

afterEach(cleanup)

function draw(last: number): void {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  render(
    <RouterContextProvider router={router as never}>
      <NothingListed
        path="/audiobooks"
        name="audiobooks"
        last={last}
        searchFor={(page): Record<string, string> => (page > 1 ? { page: String(page) } : {})}
      />
    </RouterContextProvider>,
  )
}
const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')

test('a page past the last one says how many there are and leads to the last, never "no results"', () => {
  draw(5)
  expect(screen.getByRole('heading').textContent).toBe('There are only 5 pages.')
  expect(link('Go to the last page')).toMatch(/^\/audiobooks\?page=/)
  expect(screen.queryByText(MESSAGES.noResultsListing)).toBeNull()
})

test('a listing of one page leads back to it, and one where nothing fits to the whole shelf', () => {
  draw(1)
  expect(screen.getByRole('heading').textContent).toBe('There’s only one page.')
  expect(link('Back to the first page')).toBe('/audiobooks')
  draw(0)
  expect(screen.getByText(MESSAGES.noResultsListing)).toBeTruthy()
  expect(link('See all audiobooks')).toBe('/audiobooks')
})
