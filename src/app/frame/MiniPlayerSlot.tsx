import { useNavigate, useRouter } from '@tanstack/react-router'
import { PlayerDock } from '#features/player/PlayerDock.tsx'

/** The mini player, once there is something to play, and the ways from it into the app. */
export function MiniPlayerSlot() {
  const navigate = useNavigate()
  const router = useRouter()
  // A recording's slug is its page's address, and it has no screen of its own.
  const toRecording = (slug: string) => router.history.push(`/${slug}`)
  return (
    <PlayerDock
      onOpen={({ slug, kind }) => {
        if (kind === 'recording') return toRecording(slug)
        void navigate({
          to: kind === 'sample' ? '/sample/$slug' : '/player/$slug',
          params: { slug },
          // The cover travels from the bar to its place (docs/design.md, Space and motion).
          viewTransition: true,
        })
      }}
      onBookPage={(slug) => {
        if (slug.includes('/')) return toRecording(slug)
        void navigate({ to: '/audiobooks/$slug', params: { slug } })
      }}
    />
  )
}
