import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { ChangePasswordScreen } from '#screens/account/ChangePasswordScreen.tsx'

export const Route = createFileRoute('/change-password')({
  component: () => (
    <MembersOnly>
      <ChangePasswordScreen />
    </MembersOnly>
  ),
})
