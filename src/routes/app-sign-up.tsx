import { createFileRoute } from '@tanstack/react-router'
import { giftLink } from '#features/account/gift-link.ts'
import { SignUpScreen } from './-SignUpScreen.tsx'

export const Route = createFileRoute('/app-sign-up')({
  validateSearch: giftLink,
  component: () => <SignUpScreen gift={Route.useSearch()} inApp />,
})
