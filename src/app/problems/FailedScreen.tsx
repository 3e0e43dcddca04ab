import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { NetProblem } from '#net/problem.ts'
import { isFirstPage } from '../start/first-page.ts'
import { GoInstead } from './GoInstead.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'
import { Button } from '#ui/Button.tsx'
import { ErrorScreen } from './ErrorScreen.tsx'
import { isMissingChunk, MissingChunk } from './MissingChunk.tsx'
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
  if (isMissingChunk(error)) return <MissingChunk error={error} onRetry={retry} />
  const problem = error instanceof NetProblem ? error : undefined
  if (problem?.kind === 'offline') return <OfflineScreen onRetry={retry} />
  // The server's own error page is already at its address.
  if (problem?.kind === 'server' && !isFirstPage()) return <GoInstead to="/server-error" />
  return <ServerError late={!isFirstPage()} onRetry={retry} />
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
