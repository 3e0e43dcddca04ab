import { useEffect, useState } from 'react'
import { usePlayer, wantsSound } from '#features/player/store.ts'
import { reloadPage } from '#storage/page-storage.ts'
import { shop } from '#features/shop-details/shop.ts'
import { connectivity } from '#net/connectivity.ts'
import { Button } from '#ui/Button.tsx'
import { missingName } from './missing-names.ts'
import { mayReloadFor } from './missing-part.ts'
import { ErrorScreen } from './ErrorScreen.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'

interface MissingPartProps {
  error: Error
  onRetry: () => void
}

/**
 * Stands in for a screen whose code could not be fetched. With a server that answers it is a new release: the page
 * is loaded again once, and never over a book that is speaking (trap 16).
 */
export function MissingPart({ error, onRetry }: MissingPartProps) {
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
