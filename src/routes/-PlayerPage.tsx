import { notFound, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { chapterAt, type TitleRef } from '#features/player/model.ts'
import { PlayerScreen } from '#features/player/PlayerScreen.tsx'
import { usePlayer } from '#features/player/store.ts'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { GoInstead } from '../app/GoInstead.tsx'
import { PageHead } from '../app/PageHead.tsx'

/** The player's own screen, for a book or its sample (NAV-19, NAV-58). */
export function PlayerPage({ title }: { title: TitleRef }) {
  const ready = useSession((state) => state.ready)
  const router = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  const ownWindow = usePlayer((store) => store.player?.window)
  const playing = usePlayer(
    ({ state }) => state.title && chapterAt(state.title.chapters, state.chapter)?.title,
  )

  const toBook = (slug: string) => void navigate({ to: '/audiobooks/$slug', params: { slug } })
  const minimise = () => {
    if (ownWindow) window.close()
    else if (canGoBack) router.history.back()
    else toBook(title.slug)
  }
  const bookPage = (slug: string) => {
    if (!ownWindow) return toBook(slug)
    ownWindow.visit(`/audiobooks/${slug}`)
    const opener = window.opener as Window | null
    opener?.focus()
  }

  // Whose downloads and places these are has to be known before the book is opened.
  if (!ready) return <div aria-busy="true" />
  return (
    <>
      <PageHead title={playing ?? 'Player'} hidden />
      <PlayerScreen
        title={title}
        onMinimise={minimise}
        onBookPage={bookPage}
        failed={(reason) => <PlayerFailed reason={reason} />}
      />
    </>
  )
}

function PlayerFailed({ reason }: { reason: unknown }) {
  const status = reason instanceof NetProblem ? reason.status : undefined
  if (status === 404) throw notFound()
  if (status === 401 || status === 403) return <GoInstead to="/access-denied" />
  throw reason
}
