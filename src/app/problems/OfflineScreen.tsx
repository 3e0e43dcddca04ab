import { useEffect, useEffectEvent } from 'react'
import { connectivity } from '#net/connectivity.ts'
import { useWantsSignIn } from '#net/use-online.ts'
import { Button } from '#ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../menus/NavLink.tsx'
import { SIGN_IN_PATH } from '#contract/limits.ts'
import styles from '../header/header.module.css'

/** Wait after the connection returns: the service worker learns of it a little later. */
const SETTLING_MS = 1_000

/** For a page not stored on this device, while offline. Loads it when the connection returns. */
export function OfflineScreen({ onRetry }: { onRetry?: (() => void) | undefined }) {
  const wantsSignIn = useWantsSignIn()
  const retry = useEffectEvent(() => onRetry?.())
  useEffect(() => {
    // Only after a real loss of connection: an address that never answers must not be retried endlessly.
    let lost = connectivity.snapshot() === 'offline'
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = connectivity.subscribe((state) => {
      clearTimeout(timer)
      if (state === 'online' && lost) timer = setTimeout(retry, SETTLING_MS)
      lost = state === 'offline'
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return (
    <ErrorScreen
      title="This page needs a connection"
      name="Offline"
      actions={
        <>
          <ShellButton to="/library" look="beak">
            Open your library
          </ShellButton>
          {onRetry && (
            <Button look="text" onClick={onRetry}>
              Try again
            </Button>
          )}
        </>
      }
    >
      {wantsSignIn ? (
        <p>
          <NetworkSignIn />. Your downloads still play.
        </p>
      ) : (
        <p>You’re offline, and we haven’t kept this one for you. Your downloads still play.</p>
      )}
    </ErrorScreen>
  )
}

/** Opens the sign-in page of a captive portal in a new tab, so that a playing book continues. */
export const NetworkSignIn = () => (
  <a href={SIGN_IN_PATH} target="_blank" rel="noreferrer" className={styles.signIn}>
    This network wants you to sign in
  </a>
)
