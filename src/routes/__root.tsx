import { createRootRouteWithContext, notFound, Outlet, useLocation } from '@tanstack/react-router'
import { AppShell } from '#app/frame/AppShell.tsx'
import { isFirstPage } from '#app/start/first-page.ts'
import { missingName, NotFound } from '#app/problems/NotFound.tsx'
import type { RouteContext } from '#app/start/query-client.ts'
import { menuQuery } from '#features/home/queries.ts'
import { isOpen } from '#features/shop-details/shop.ts'

export const Route = createRootRouteWithContext<RouteContext>()({
  // The server renders the owner's links in the footer; in the browser no screen waits for them or fails without them.
  beforeLoad: async ({ location, context: { queryClient } }) => {
    if (isOpen(location.pathname)) return
    if (import.meta.env.SSR) await queryClient.prefetchQuery(menuQuery())
    throw notFound()
  },
  loader: async ({ context: { queryClient } }) => {
    if (import.meta.env.SSR) await queryClient.prefetchQuery(menuQuery())
  },
  component: () => (
    <AppShell>
      <Outlet />
    </AppShell>
  ),
  notFoundComponent: Missing,
})

function Missing() {
  const name = useLocation({
    select: ({ pathname }) => (isOpen(pathname) ? missingName(pathname) : undefined),
  })
  return <NotFound name={name} late={!isFirstPage()} />
}
