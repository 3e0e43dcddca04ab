import {
  createRootRouteWithContext,
  Outlet,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { NetProblem } from '#net/problem.ts'
import { AppShell } from '../app/AppShell.tsx'
import { isFirstPage } from '../app/first-page.ts'
import type { RouterContext } from '../app/router.tsx'
import { NotFound } from '../app/shell/NotFound.tsx'
import { OfflineScreen } from '../app/shell/OfflineScreen.tsx'
import { ServerError } from '../app/shell/ServerError.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <AppShell>
      <Outlet />
    </AppShell>
  ),
  notFoundComponent: () => <NotFound late={!isFirstPage()} />,
  errorComponent: FailedScreen,
})

/** A screen's own load failed: no connection says so in place, everything else is ours to be sorry for (ERR-11). */
function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const offline = error instanceof NetProblem && error.kind === 'offline'
  return offline ? <OfflineScreen onRetry={retry} /> : <ServerError late={!isFirstPage()} onRetry={retry} />
}
