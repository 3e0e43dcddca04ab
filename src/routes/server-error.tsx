import { createFileRoute, useRouter } from '@tanstack/react-router'
import { ServerError } from '#app/problems/FailedScreen.tsx'
import { isFirstPage } from '#app/start/first-page.ts'
import { fromSearch } from '#format/address.ts'

export const Route = createFileRoute('/server-error')({
  // The page that failed, for a retry.
  validateSearch: fromSearch,
  component: () => <ServerErrorScreen from={Route.useSearch().from} />,
})

function ServerErrorScreen({ from }: { from?: string | undefined }) {
  const { history } = useRouter()
  return <ServerError late={!isFirstPage()} onRetry={from ? () => history.replace(from) : undefined} />
}
