// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { bookQuery, ownBookQuery } from '#features/catalogue/queries.ts'
import { NetProblem } from '#net/problem.ts'
import { becomeUser, becomeVisitor } from '#session/store.ts'
import { BookScreen } from './BookScreen.tsx'

const OWNER = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }

afterEach(() => {
  cleanup()
  becomeVisitor()
})

/** The server holds the book back from everybody. */
async function openHeldBack() {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: false, retryOnMount: false, staleTime: Infinity } },
  })
  for (const query of [
    bookQuery('audio_books', 'embargoed'),
    ownBookQuery('audio_books', 'embargoed', 'nell'),
  ])
    await queryClient.prefetchQuery({
      queryKey: query.queryKey,
      queryFn: () => Promise.reject(new NetProblem('refused', 403)),
    })
  const root = createRootRoute()
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: ['/audiobooks/embargoed'] }),
    routeTree: root.addChildren([
      createRoute({
        getParentRoute: () => root,
        path: '/audiobooks/$slug',
        component: () => <BookScreen kind="audio_books" slug="embargoed" />,
      }),
      createRoute({ getParentRoute: () => root, path: '/access-denied', component: () => <h1>Denied</h1> }),
    ]),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

test('BOOK-15: somebody logged in reads that an embargoed book isn’t out yet, and has a way back', async () => {
  becomeUser(OWNER, null)
  await openHeldBack()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('This book isn’t out yet')
  expect(screen.getByRole('link', { name: 'Browse audiobooks' }).getAttribute('href')).toBe('/audiobooks')
})

test('BOOK-15: a visitor is still asked to log in', async () => {
  becomeVisitor()
  await openHeldBack()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Denied')
})
