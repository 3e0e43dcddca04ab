import { createFileRoute, redirect } from '@tanstack/react-router'
import { giftLink } from '#features/account/gift-link.ts'

/** The other spelling (OP-04). */
export const Route = createFileRoute('/signup')({
  validateSearch: giftLink,
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/sign-up', search })
  },
})
