import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { NetProblem } from '#net/problem.ts'
import { isFirstPage } from '../start/first-page.ts'
import { GoInstead } from './GoInstead.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'
import { useEffect, useState } from 'react'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { reloadPage, tabStorage } from '#storage/page-storage.ts'
import { shop } from '#features/shop-details/shop.ts'
import { connectivity } from '#net/connectivity.ts'
import { Button } from '#ui/Button.tsx'
import { missingName } from './NotFound.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../menus/NavLink.tsx'

/**
 * A screen's loader failed: shows a lost connection in place, and navigates to the server error page after an
 * invalid answer (ERR-11). Replaces only the screen, so that header and player stay.
 */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  if (isMissingPart(error)) return <MissingPart error={error} onRetry={retry} />
  const problem = error instanceof NetProblem ? error : undefined
  if (problem?.kind === 'offline') return <OfflineScreen onRetry={retry} />
  // The server's own error page is already at its address.
  if (problem?.kind === 'server' && !isFirstPage()) return <GoInstead to="/server-error" />
  return <ServerError late={!isFirstPage()} onRetry={retry} />
}

interface MissingPartProps {
  error: Error
  onRetry: () => void
}

/**
 * Replaces a screen whose code could not be fetched. If the server answers, there is a new release: the page
 * reloads once, but never while a book plays (trap 16).
 */
function MissingPart({ error, onRetry }: MissingPartProps) {
  const [known, setKnown] = useState<'asking' | 'offline' | 'released'>('asking')
  useEffect(() => {
    let left = false
    void connectivity.check().then((state) => {
      if (left) return
      if (state !== 'online') setKnown('offline')
      else if (wantsSound(usePlayer.getState().state) || !mayReloadFor(error)) setKnown('released')
      else reloadPage()
    })
    return () => {
      left = true
    }
  }, [error])

  if (known === 'asking') return <div aria-busy="true" />
  if (known === 'offline') return <OfflineScreen onRetry={onRetry} />
  return (
    <ErrorScreen
      title={`There’s a new version of ${shop().name}`}
      name={missingName(location.pathname) ?? 'Update'}
      actions={
        <Button look="beak" onClick={reloadPage}>
          Load it now
        </Button>
      }
    >
      <p>This page needs it. If a book is playing, it stops for a moment and keeps its place.</p>
    </ErrorScreen>
  )
}

const NAME = 'MissingPart'

/**
 * Handles chunks that could not be fetched: the server no longer has their release, or there is no network.
 * The browser's message is the same for both (trap 16), and the router reloads the page on that message, even
 * offline or while a book plays. So replace the message first; `MissingPart` decides.
 */
export function nameMissingParts(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = `A part of the app is missing: ${payload.message}`
    payload.name = NAME
  })
}

const isMissingPart = (error: unknown): error is Error => error instanceof Error && error.name === NAME

const RELOADED_FOR = 'reloadedFor'

/** True once per session and missing chunk: a second reload for the same one would be a loop. */
function mayReloadFor(error: Error): boolean {
  const known = (tabStorage.getItem(RELOADED_FOR) ?? '').split('\n')
  if (known.includes(error.message)) return false
  tabStorage.setItem(RELOADED_FOR, [...known, error.message].join('\n'))
  return true
}

interface ServerErrorProps {
  late?: boolean | undefined
  onRetry?: (() => void) | undefined
}

export function ServerError({ late, onRetry }: ServerErrorProps) {
  return (
    <ErrorScreen
      title="Internal Server Error"
      late={late}
      actions={
        <>
          {onRetry && (
            <Button look="beak" onClick={onRetry}>
              Try again
            </Button>
          )}
          <ShellButton to="/" look={onRetry ? 'text' : 'beak'}>
            Home
          </ShellButton>
        </>
      }
    >
      <p>Something broke on our side, not on yours. Nothing you did is lost; try again in a minute.</p>
    </ErrorScreen>
  )
}
