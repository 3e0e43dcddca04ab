import { useEffect, useState } from 'react'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { shop } from '#features/shop-details/shop.ts'
import { connectivity } from '#net/connectivity.ts'
import { reloadPage, tabStorage } from '#storage/page-storage.ts'
import { Button } from '#ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { missingName } from './NotFound.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'

interface MissingChunkProps {
  error: Error
  onRetry: () => void
}

/**
 * Replaces a screen whose code could not be fetched. If the server answers, there is a new release: the page
 * reloads once, but never while a book plays (trap 16).
 */
export function MissingChunk({ error, onRetry }: MissingChunkProps) {
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

const NAME = 'MissingChunk'

/**
 * Handles chunks that could not be fetched: the server no longer has their release, or there is no network.
 * The browser's message is the same for both (trap 16), and the router reloads the page on that message, even
 * offline or while a book plays. So replace the message first; `MissingChunk` decides.
 */
export function nameMissingChunks(): void {
  addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = `A part of the app is missing: ${payload.message}`
    payload.name = NAME
  })
}

export const isMissingChunk = (error: unknown): error is Error =>
  error instanceof Error && error.name === NAME

const RELOADED_FOR = 'reloadedFor'

/** True once per session and missing chunk: a second reload for the same one would be a loop. */
function mayReloadFor(error: Error): boolean {
  const known = (tabStorage.getItem(RELOADED_FOR) ?? '').split('\n')
  if (known.includes(error.message)) return false
  tabStorage.setItem(RELOADED_FOR, [...known, error.message].join('\n'))
  return true
}
