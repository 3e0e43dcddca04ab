import { createFileRoute, redirect } from '@tanstack/react-router'

/** The old address of the membership page (NAV-49). */
export const Route = createFileRoute('/membership')({
  beforeLoad: () => {
    throw redirect({ href: '/subscription', statusCode: 301 })
  },
})
