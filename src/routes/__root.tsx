import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { menuQuery } from '#features/home/queries.ts'
import { AppShell } from '../app/AppShell.tsx'
import { isFirstPage } from '../app/first-page.ts'
import type { RouterContext } from '../app/router.tsx'
import { NotFound } from '../app/shell/NotFound.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  // The server's footer has the owner's links in it; in the browser no screen waits for them, nor fails for them.
  loader: async ({ context: { queryClient } }) => {
    if (typeof document === 'undefined') await queryClient.prefetchQuery(menuQuery())
  },
  component: () => (
    <AppShell>
      <Outlet />
    </AppShell>
  ),
  notFoundComponent: () => <NotFound late={!isFirstPage()} />,
})
