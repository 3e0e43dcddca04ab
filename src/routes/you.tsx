import { createFileRoute } from '@tanstack/react-router'
import { YouScreen } from './-account/YouScreen.tsx'

export const Route = createFileRoute('/you')({
  staticData: { frame: 'own' },
  component: YouScreen,
})
