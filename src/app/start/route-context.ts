import type { QueryClient } from '@tanstack/react-query'
import type { Thing } from '../page/structured-data.ts'

/** What every loader is given. */
export interface RouteContext {
  readonly queryClient: QueryClient
  /** What a loader tells the server about its answer; the browser ignores it. */
  readonly answer: { status?: number; things?: readonly Thing[] }
}
