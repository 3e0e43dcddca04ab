import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { SettingsScreen } from './-account/SettingsScreen.tsx'

export const Route = createFileRoute('/settings')({
  staticData: { frame: 'own' },
  validateSearch: ({ confirmed }): { confirmed?: '1' | undefined } => ({
    confirmed: confirmed === '1' ? confirmed : undefined,
  }),
  component: () => (
    <MembersOnly>
      <SettingsScreen confirmed={Route.useSearch().confirmed} />
    </MembersOnly>
  ),
})
