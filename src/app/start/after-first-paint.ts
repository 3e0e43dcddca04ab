import type { QueryClient } from '@tanstack/react-query'
import { loadItalics } from '#ui/load-italics.ts'
import { offerUpdates } from './updates.ts'

/** Starts the work that can wait for the first paint. One file, so that the first view names a single import. */
export function startAfterFirstPaint(queryClient: QueryClient): void {
  loadItalics()
  void import('#features/bag/follow.ts').then(({ followBag }) => followBag(queryClient))
  void offerUpdates(queryClient)
}
