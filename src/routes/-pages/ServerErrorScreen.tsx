import { useRouter } from '@tanstack/react-router'
import { isFirstPage } from '#app/start/first-page.ts'
import { ServerError } from '#app/problems/FailedScreen.tsx'

export function ServerErrorScreen({ from }: { from?: string | undefined }) {
  const { history } = useRouter()
  return <ServerError late={!isFirstPage()} onRetry={from ? () => history.replace(from) : undefined} />
}
