import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { NetProblem } from '#net/problem.ts'
import { isFirstPage } from '../start/first-page.ts'
import { GoInstead } from './GoInstead.tsx'
import { isMissingPart } from './missing-part.ts'
import { MissingPart } from './MissingPart.tsx'
import { OfflineScreen } from './OfflineScreen.tsx'
import { ServerError } from './ServerError.tsx'

/**
 * A screen's own load failed: no connection says so in place, a broken answer leads to the page of broken
 * answers (ERR-11). Shown where the screen would be, so that header and player stay.
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
