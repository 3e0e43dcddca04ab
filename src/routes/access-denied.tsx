import { createFileRoute } from '@tanstack/react-router'
import { AccessDenied } from '#app/problems/AccessDenied.tsx'
import { fromSearch } from '#format/address.ts'

export const Route = createFileRoute('/access-denied')({
  validateSearch: fromSearch,
  component: () => <AccessDenied from={Route.useSearch().from} />,
})
