import { useNavigate } from '@tanstack/react-router'
import { PlayerDock } from '#features/player/PlayerDock.tsx'

/** The mini player, once there is something to play, and the ways from it into the app. */
export function MiniPlayerSlot() {
  const navigate = useNavigate()
  return (
    <PlayerDock
      onOpen={({ slug, kind }) =>
        void navigate({
          to: kind === 'sample' ? '/sample/$slug' : '/player/$slug',
          params: { slug },
          // The cover travels from the bar to its place (DESIGN.md, 4).
          viewTransition: true,
        })
      }
      onBookPage={(slug) => void navigate({ to: '/audiobooks/$slug', params: { slug } })}
    />
  )
}
