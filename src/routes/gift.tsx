import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { GiveMembershipScreen } from '#screens/membership/GiveMembershipScreen.tsx'

export const Route = createFileRoute('/gift')({
  validateSearch: (search): { plan?: string | undefined } => ({ plan: textIn(search.plan) }),
  component: GiveMembershipScreen,
})
