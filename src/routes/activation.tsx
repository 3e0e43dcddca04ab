import { createFileRoute } from '@tanstack/react-router'
import { ActivationScreen } from './-outlets/ActivationScreen.tsx'

export const Route = createFileRoute('/activation')({
  staticData: { frame: 'desk' },
  component: ActivationScreen,
})
