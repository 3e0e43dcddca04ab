import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { AppShell } from '../app/AppShell.tsx'
import { isFirstPage } from '../app/first-page.ts'
import type { RouterContext } from '../app/router.tsx'
import { NotFound } from '../app/shell/NotFound.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <AppShell>
      <Outlet />
    </AppShell>
  ),
  notFoundComponent: () => <NotFound late={!isFirstPage()} />,
})
