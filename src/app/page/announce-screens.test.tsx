// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { Menu } from '#ui/Menu.tsx'
import { announceScreens } from './announce-screens.ts'

afterEach(cleanup)

it('PLAY-22: a menu opened during a navigation stays open; otherwise the heading takes the focus', async () => {
  const slow = Promise.withResolvers<void>()
  const root = createRootRoute({ component: Frame })
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: ['/library'] }),
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/library', component: () => <h1>Book</h1> }),
      createRoute({
        getParentRoute: () => root,
        path: '/',
        component: () => <h1>Home</h1>,
        loader: () => slow.promise,
      }),
    ]),
  })
  announceScreens(router)
  render(<RouterProvider router={router} />)
  await screen.findByRole('heading', { name: 'Book' })

  void router.navigate({ to: '/' })
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  const entry = await screen.findByRole('menuitem', { name: 'Turn off player' })
  const menu = screen.getByRole('menu')
  await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true))
  slow.resolve()
  await screen.findByText('Home')
  await waitFor(() => expect(router.state.status).toBe('idle'))
  expect(entry.isConnected).toBe(true)
  expect(menu.contains(document.activeElement)).toBe(true)

  await userEvent.keyboard('{Escape}')
  await router.navigate({ to: '/library' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Book'))
})

it('a navigation focuses the heading; a filter does not', async () => {
  const Page = ({ title }: { title: string }) => <h1>{title}</h1>
  const root = createRootRoute({
    component: () => (
      <main>
        <Outlet />
      </main>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/', component: () => <Page title="Home" /> }),
      createRoute({
        getParentRoute: () => root,
        path: '/library',
        component: () => <Page title="Library" />,
      }),
    ]),
    history: createMemoryHistory(),
  })
  announceScreens(router)
  await router.load()
  await act(async () => void render(<RouterProvider router={router as never} />))
  expect(document.activeElement).toBe(document.body)
  await act(() => router.navigate({ to: '/library' }))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Library'))
  act(() => document.body.focus())
  act(() => (document.activeElement as HTMLElement).blur())
  await act(() => router.navigate({ to: '/library', search: { q: 'salt' } }))
  expect(document.activeElement).toBe(document.body)
})

it('HOME-18: a heading whose code is still loading takes the focus when it appears', async () => {
  const code = Promise.withResolvers<{ default: () => ReactNode }>()
  const Late = lazy(() => code.promise)
  const root = createRootRoute({ component: Frame })
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({
        getParentRoute: () => root,
        path: '/',
        component: () => (
          <Suspense>
            <Late />
          </Suspense>
        ),
      }),
      createRoute({ getParentRoute: () => root, path: '/library', component: () => <h1>Library</h1> }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/library'] }),
  })
  announceScreens(router)
  render(<RouterProvider router={router} />)
  await screen.findByRole('heading', { name: 'Library' })
  await act(() => router.navigate({ to: '/' }))
  await waitFor(() => expect(screen.queryByText('Library')).toBeNull())
  code.resolve({ default: () => <h1>Salt</h1> })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Salt'))
})

function Frame() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <main>
        <Outlet />
      </main>
      <button ref={button} onClick={() => setOpen(!open)}>
        More
      </button>
      <Menu
        label="More"
        entries={[{ key: 'off', label: 'Turn off player' }]}
        anchor={button}
        open={open}
        onOpenChange={setOpen}
      />
    </>
  )
}
