import type { QueryClient } from '@tanstack/react-query'
import type { JsonLd } from '../page/structured-data.ts'

export interface RouteContext {
  readonly queryClient: QueryClient
  /** Lets a loader set the server's response; ignored in the browser. */
  readonly answer: { status?: number; things?: readonly JsonLd[] }
}
