import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { GivenByLinkScreen, GivenGiftsScreen } from './-gifts/GivenGiftsScreen.tsx'

export const Route = createFileRoute('/gifts')({
  validateSearch: ({ token }: Record<string, unknown>): { token?: string | undefined } => ({
    token: textIn(token),
  }),
  component: Gifts,
})

function Gifts() {
  const { token } = Route.useSearch()
  if (token) return <GivenByLinkScreen key={token} token={token} />
  return (
    <MembersOnly>
      <GivenGiftsScreen />
    </MembersOnly>
  )
}
