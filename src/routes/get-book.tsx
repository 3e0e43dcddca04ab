import { createFileRoute } from '@tanstack/react-router'
import { GetBookScreen } from './-GetBookScreen.tsx'

export const Route = createFileRoute('/get-book')({
  validateSearch: (search): { email?: string; token?: string } => ({
    ...(typeof search.email === 'string' && search.email !== '' ? { email: search.email.slice(0, 254) } : {}),
    ...(typeof search.token === 'string' && search.token !== '' ? { token: search.token.slice(0, 128) } : {}),
  }),
  component: () => <GetBookScreen {...Route.useSearch()} />,
})
