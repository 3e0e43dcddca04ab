import { createFileRoute } from '@tanstack/react-router'
import { ActivationScreen } from '#screens/account/ActivationScreen.tsx'

export const Route = createFileRoute('/activation')({
  staticData: { frame: 'desk' },
  component: ActivationScreen,
})
