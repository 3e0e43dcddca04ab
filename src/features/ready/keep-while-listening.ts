import type { QueryClient } from '@tanstack/react-query'
import type { Engine } from '#features/player/controls.ts'
import { currentOwner } from '#session/store.ts'
import { openReady } from './keep-ready.ts'

/** Who listens on comes further, and so does what has to be ready: once a chapter, and at a book's end. */
export function keepReadyWhileListening(engine: Engine, queryClient: QueryClient): void {
  const look = () => {
    const owner = currentOwner()
    if (owner) void openReady(queryClient, owner).catch(() => undefined)
  }
  engine.on('chapterEnd', look)
  engine.on('pause', look)
}
