import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { GiveMembershipScreen } from './-gifts/GiveMembershipScreen.tsx'

export const Route = createFileRoute('/gift')({
  validateSearch: (search): { plan?: string | undefined } => ({ plan: textIn(search.plan) }),
  component: () => <GiveMembershipScreen occasion="gift" plan={Route.useSearch().plan} />,
})
