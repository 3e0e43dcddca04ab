import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { MiniPlayerProps } from './MiniPlayer.tsx'
import { usePlayer } from './store.ts'

/** Renders the mini player once a title is loaded; its code is not loaded before that. */
export function PlayerDock(props: MiniPlayerProps) {
  const shown = usePlayer((store) => store.state.title !== undefined && store.display === 'mini')
  if (!shown) return null
  return (
    <Suspense>
      <MiniPlayer {...props} />
    </Suspense>
  )
}

const MiniPlayer = lazyPart(() => import('./MiniPlayer.tsx'), 'MiniPlayer')
