import type { QueryClient } from '@tanstack/react-query'
import type { JsonLd } from '../page/structured-data.ts'

/** Every loader is given this. */
export interface RouteContext {
  readonly queryClient: QueryClient
  /** A loader's word to the server about its answer; the browser ignores it. */
  readonly answer: { status?: number; things?: readonly JsonLd[] }
}
