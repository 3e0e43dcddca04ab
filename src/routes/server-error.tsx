import { createFileRoute } from '@tanstack/react-router'
import { fromSearch } from '#format/address.ts'
import { ServerErrorScreen } from './-pages/ServerErrorScreen.tsx'

export const Route = createFileRoute('/server-error')({
  // The page that failed to load, to try it again.
  validateSearch: fromSearch,
  component: () => <ServerErrorScreen from={Route.useSearch().from} />,
})
