import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { ChangePasswordScreen } from './-account/ChangePasswordScreen.tsx'

export const Route = createFileRoute('/change-password')({
  component: () => (
    <MembersOnly>
      <ChangePasswordScreen />
    </MembersOnly>
  ),
})
