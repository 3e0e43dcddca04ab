import { createFileRoute } from '@tanstack/react-router'
import { AccessDenied } from '../app/shell/AccessDenied.tsx'

export const Route = createFileRoute('/access-denied')({
  validateSearch: (search): { from?: string } =>
    typeof search.from === 'string' && /^\/(?!\/)/.test(search.from) ? { from: search.from } : {},
  component: () => <AccessDenied from={Route.useSearch().from} />,
})
