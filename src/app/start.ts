import type { QueryClient } from '@tanstack/react-query'
import { connectivity, followBrowser } from '#net/connectivity.ts'
import { configureNet } from '#net/settings.ts'
import type { AppRouter } from './router.tsx'

/** Starts what lives as long as the app and belongs to no screen. */
export function startApp({ router }: { router: AppRouter; queryClient: QueryClient }): void {
  configureNet({ onAnswer: connectivity.note })
  followBrowser(window)
  void router
}
