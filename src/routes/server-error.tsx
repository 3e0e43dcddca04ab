import { createFileRoute, useRouter } from '@tanstack/react-router'
import { isFirstPage } from '../app/first-page.ts'
import { ServerError } from '../app/shell/ServerError.tsx'

export const Route = createFileRoute('/server-error')({
  // The page whose load failed: the way back to it.
  validateSearch: (search): { from?: string } =>
    typeof search.from === 'string' && /^\/(?!\/)/.test(search.from) ? { from: search.from } : {},
  component: ServerErrorScreen,
})

function ServerErrorScreen() {
  const { from } = Route.useSearch()
  const { history } = useRouter()
  return <ServerError late={!isFirstPage()} onRetry={from ? () => history.replace(from) : undefined} />
}
