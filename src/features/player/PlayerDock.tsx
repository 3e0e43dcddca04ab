import { Suspense } from 'react'
import { lazyPart } from '#ui/lazy-part.tsx'
import type { MiniPlayerProps } from './MiniPlayer.tsx'
import { useIsInPage, useRestingTitle } from './last-played.ts'
import { usePlayer } from './store.ts'

interface PlayerDockProps extends Omit<MiniPlayerProps, 'resting'> {
  /** The page itself shows started titles, and the mini player does not repeat them. */
  pageShowsStarted?: boolean
}

/** Renders the mini player with the title in the player, or the one that was in it before a reload. */
export function PlayerDock({ pageShowsStarted = false, ...props }: PlayerDockProps) {
  const hasTitle = usePlayer((store) => store.state.title !== undefined)
  const isMini = usePlayer((store) => store.display === 'mini')
  const last = useRestingTitle()
  const isInPage = useIsInPage(last?.title.slug)
  const resting = pageShowsStarted && isInPage ? undefined : last
  if (!isMini || !(hasTitle || resting)) return null
  return (
    <Suspense>
      <MiniPlayer {...props} resting={resting} />
    </Suspense>
  )
}

const MiniPlayer = lazyPart(() => import('./MiniPlayer.tsx'), 'MiniPlayer')
