// @vitest-environment happy-dom
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { becomeEnded, becomeUser, becomeVisitor, useSession } from '#session/store.ts'
import { soon } from '#tests/support/wait-for.ts'
import { GoInstead } from './GoInstead.tsx'

const OWNER = { uuid: 'nell', firstName: 'Nell', fullName: 'Nell Hart' }

afterEach(() => {
  cleanup()
  becomeVisitor()
})

/** Settings and orders need an account; the orders load slowly. */
function aShop(orders: () => Promise<void>, first = '/settings') {
  const root = createRootRoute({ component: Outlet })
  const Own = ({ name }: { name: string }) =>
    useSession(({ status }) => status === 'user') ? <h1>{name}</h1> : <GoInstead to="/access-denied" />
  const router = createRouter({
    history: createMemoryHistory({ initialEntries: [first] }),
    routeTree: root.addChildren([
      createRoute({
        getParentRoute: () => root,
        path: '/settings',
        component: () => <Own name="Settings" />,
      }),
      createRoute({
        getParentRoute: () => root,
        path: '/orders',
        loader: orders,
        component: () => <Own name="Orders" />,
      }),
      createRoute({ getParentRoute: () => root, path: '/login', component: () => <h1>Log in</h1> }),
      createRoute({ getParentRoute: () => root, path: '/access-denied', component: () => <h1>Denied</h1> }),
    ]),
  })
  render(<RouterProvider router={router as never} />)
  return router
}

test('SESS-09: a screen that is being left does not interrupt the navigation to the login', async () => {
  becomeUser(OWNER, null)
  const router = aShop(() => new Promise(() => undefined))
  await screen.findByText('Settings')
  await act(async () => {
    void router.navigate({ to: '/orders' } as never)
    await soon(() => expect(router.latestLocation.pathname).toBe('/orders'))
    // The request for the orders is refused: the session ends, and the app opens the login.
    becomeEnded(OWNER)
    void router.navigate({ to: '/login', search: { from: router.latestLocation.href } } as never)
  })
  await screen.findByText('Log in')
  expect(router.latestLocation.href).toBe('/login?from=%2Forders')
})

test('OP-02: a screen that needs an account shows that at its own address, and keeps the return address', async () => {
  becomeVisitor()
  const router = aShop(async () => undefined, '/orders?page=2')
  await screen.findByText('Denied')
  expect(router.latestLocation.href).toBe('/access-denied?from=%2Forders%3Fpage%3D2')
})
