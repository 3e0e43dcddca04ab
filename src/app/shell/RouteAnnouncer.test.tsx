// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef, useState } from 'react'
import { expect, it } from 'vitest'
import { Menu } from '#ui/Menu.tsx'
import { RouteAnnouncer } from './RouteAnnouncer.tsx'

it('PLAY-22: a menu opened while a screen is on its way stays; without one the heading takes the focus', async () => {
  const slow = Promise.withResolvers<void>()
  const root = createRootRoute({ component: Frame })
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: ['/book'] }),
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/book', component: () => <h1>Book</h1> }),
      createRoute({
        getParentRoute: () => root,
        path: '/',
        component: () => <h1>Home</h1>,
        loader: () => slow.promise,
      }),
    ]),
  })
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
  await router.navigate({ to: '/book' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Book'))
})

function Frame() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <RouteAnnouncer />
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
