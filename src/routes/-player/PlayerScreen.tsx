import { useQuery } from '@tanstack/react-query'
import { Navigate, notFound, rootRouteId, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { bookQuery } from '#features/catalogue/queries.ts'
import { chapterAt, type TitleRef, sameTitle } from '#features/player/model.ts'
import { NoSound } from '#features/player/ports.ts'
import { usePlayer } from '#features/player/store.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { GoInstead } from '#app/problems/GoInstead.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { NotOnThisDevice } from '../-layout/NotOnThisDevice.tsx'
import { Player } from './Player.tsx'
import { coverPlace } from '#ui/carry-cover.ts'
import { Display } from '#ui/Display.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { thePlayer } from '#features/player/lazy.ts'
import styles from './player.module.css'

const NoSoundScreen = lazyPart(() => import('./NoSoundScreen.tsx'), 'NoSoundScreen')

/** The screen of `/player/{slug}` and `/sample/{slug}`, for a book or its sample (NAV-19, NAV-58). */
export function PlayerScreen({ title }: { title: TitleRef }) {
  const ready = useSession((state) => state.ready)
  const owner = useSession((state) => state.owner?.uuid)
  const router = useRouter()
  const navigate = useNavigate()
  const canGoBack = useCanGoBack()
  const [attempt, setAttempt] = useState(0)
  const ownWindow = usePlayer((store) => store.player?.window)
  const playing = usePlayer(
    ({ state }) => state.title && chapterAt(state.title.chapters, state.chapter)?.title,
  )

  // When the next book starts automatically, replace this screen with its own.
  const nextUp = usePlayer((store) => store.nextUp?.slug)
  const [expected, setExpected] = useState<string>()
  if (nextUp !== undefined && nextUp !== expected) setExpected(nextUp)
  const current = usePlayer(({ state }) => (state.title?.kind === 'book' ? state.title.slug : undefined))
  useEffect(() => {
    if (expected === undefined || current !== expected || current === title.slug) return
    void navigate({ to: '/player/$slug', params: { slug: current }, replace: true })
  }, [expected, current, title.slug, navigate])

  const toBook = (slug: string) => void navigate({ to: '/audiobooks/$slug', params: { slug } })
  const minimise = () => {
    if (ownWindow) window.close()
    else if (canGoBack) router.history.back()
    else toBook(title.slug)
  }
  const bookPage = (slug: string) => {
    if (ownWindow) {
      ownWindow.visit(`/audiobooks/${slug}`)
      const opener: Window | null = window.opener
      opener?.focus()
    } else toBook(slug)
  }

  // The owner of downloads and places must be known before the book opens.
  if (!ready) return <div aria-busy="true" />
  return (
    <>
      <PageHead title={playing ?? 'Player'} hidden />
      <PlayerOpener
        // Reopen for another user, who must not see this player.
        key={`${owner ?? ''} ${attempt}`}
        title={title}
        onMinimise={minimise}
        onBookPage={bookPage}
        failed={(reason) =>
          isUnreachable(reason) && (owner !== undefined || title.kind !== 'book') ? (
            <NotOnThisDevice onBack={minimise} onRetry={() => setAttempt(attempt + 1)} />
          ) : (
            <PlayerFailed
              reason={reason}
              title={title}
              onBack={minimise}
              onRetry={() => setAttempt(attempt + 1)}
            />
          )
        }
      />
    </>
  )
}

interface PlayerOpenerProps extends ComponentProps<typeof Player> {
  title: TitleRef
  /** Shown when the title cannot be opened; `reason` is what `loadBook` rejected with. */
  failed: (reason: unknown) => ReactNode
}

/** Opens the title, then shows it. Until then the previous title keeps playing. */
function PlayerOpener({ title, failed, ...shown }: PlayerOpenerProps) {
  const { slug, kind } = title
  const isOpen = usePlayer((store) => !store.isInOtherWindow && sameTitle(store.state.title, { slug, kind }))
  const [failure, setFailure] = useState<{ slug: string; reason: unknown }>()

  useEffect(() => {
    let hasLeft = false
    thePlayer()
      .then((player) => player.open({ slug, kind }))
      .catch((reason: unknown) => {
        if (!hasLeft) setFailure({ slug, reason })
      })
    return () => {
      hasLeft = true
    }
  }, [slug, kind])

  if (failure?.slug === slug) return failed(failure.reason)
  if (isOpen) return <Player {...shown} />
  return (
    <section className={styles.opening} aria-label="Player" aria-busy="true">
      <div className={styles.openerArt} style={coverPlace('player-cover')}>
        <Skeleton cover ratio="1" />
      </div>
      <Display as="h1" size="sm">
        Opening the player
      </Display>
    </section>
  )
}

const isUnreachable = (reason: unknown) => reason instanceof NetProblem && reason.kind === 'offline'

interface PlayerFailedProps {
  reason: unknown
  title: TitleRef
  onBack: () => void
  onRetry: () => void
}

function PlayerFailed({ reason, title, onBack, onRetry }: PlayerFailedProps) {
  const { slug } = title
  const ended = useSession((state) => state.status === 'ended')
  const status = reason instanceof NetProblem ? reason.status : undefined
  if (reason instanceof NoSound)
    return (
      <Suspense fallback={<div aria-busy="true" />}>
        <NoSoundScreen slug={slug} onBack={onBack} onSound={onRetry} />
      </Suspense>
    )
  if (status === 401 && ended)
    return (
      <LogInToHear
        slug={slug}
        title="Please log in again to hear this."
        help="It isn’t on this device. Your downloads still play."
      />
    )
  if (isUnreachable(reason))
    return (
      <LogInToHear
        slug={slug}
        title="Log in to hear this."
        help="You’re offline, so that has to wait for a connection. Nothing in your library is lost."
      />
    )
  if (status === 404 && title.kind === 'book') return <EBookInstead slug={slug} />
  // With the root's id: otherwise the nearest route would handle it as its own error.
  if (status === 404) throw notFound({ routeId: rootRouteId })
  if (status === 401 || status === 403) return <GoInstead to="/access-denied" />
  throw reason
}

/** No audiobook has this slug, but an e-book may. */
function EBookInstead({ slug }: { slug: string }) {
  const book = useQuery(bookQuery('e_books', slug))
  if (book.isPending) return <div aria-busy="true" />
  if (!book.data) throw notFound({ routeId: rootRouteId })
  return <Navigate to="/ebooks/$slug" params={{ slug }} replace />
}

/** Asks for a login: the session expired and the book is not stored (ROLE-16), or a visitor is offline. */
const LogInToHear = ({ slug, title, help }: { slug: string; title: string; help: string }) => (
  <Wrap>
    <Empty
      title={title}
      help={help}
      level="h1"
      action={
        <LinkButton to="/login" search={{ from: `/player/${slug}` }} look="beak">
          Log in
        </LinkButton>
      }
    />
  </Wrap>
)
