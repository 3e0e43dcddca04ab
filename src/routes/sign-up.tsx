import { createFileRoute } from '@tanstack/react-router'
import { giftLink } from '#features/account/gift-link.ts'
import { SignUpScreen } from './-account/SignUpScreen.tsx'

export const Route = createFileRoute('/sign-up')({
  staticData: { frame: 'own' },
  validateSearch: giftLink,
  component: () => <SignUpScreen gift={Route.useSearch()} />,
})
