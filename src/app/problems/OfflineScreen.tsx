import { useEffect, useEffectEvent } from 'react'
import { connectivity } from '#net/connectivity.ts'
import { useWantsSignIn } from '#net/use-online.ts'
import { Button } from '#ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { ShellButton } from '../menus/NavLink.tsx'
import { SIGN_IN_PATH } from '#contract/limits.ts'
import styles from '../header/header.module.css'

/** A connection that has just come back is not there for everyone at once: the worker learns of it a little later. */
const SETTLING_MS = 1_000

/** For a page that this device has never seen, without a connection. Loads it as soon as there is one again. */
export function OfflineScreen({ onRetry }: { onRetry?: (() => void) | undefined }) {
  const wantsSignIn = useWantsSignIn()
  const retry = useEffectEvent(() => onRetry?.())
  useEffect(() => {
    // Only after a real loss: a single address that never answers must not be asked in a circle.
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

/** Leads to the page on which a train's or a hotel's network lets somebody in. A book that plays here plays on. */
export const NetworkSignIn = () => (
  <a href={SIGN_IN_PATH} target="_blank" rel="noreferrer" className={styles.signIn}>
    This network wants you to sign in
  </a>
)
