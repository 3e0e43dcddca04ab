import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { ResetPasswordScreen } from './-account/ResetPasswordScreen.tsx'

export const Route = createFileRoute('/reset-password/$uuid')({
  validateSearch: (search): { token?: string | undefined } => ({ token: textIn(search.token) }),
  component: () => <ResetPasswordScreen id={Route.useParams().uuid} token={Route.useSearch().token} />,
})
