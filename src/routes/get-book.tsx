import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { GetBookScreen } from '#screens/gifts/GetBookScreen.tsx'

export const Route = createFileRoute('/get-book')({
  validateSearch: ({ email, token }): { email?: string | undefined; token?: string | undefined } => ({
    email: textIn(email)?.slice(0, 254),
    token: textIn(token)?.slice(0, 128),
  }),
  component: () => {
    const search = Route.useSearch()
    return <GetBookScreen {...search} />
  },
})
