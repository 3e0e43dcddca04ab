import { createFileRoute } from '@tanstack/react-router'
import { ResellerScreen } from '#screens/outlets/ResellerScreen.tsx'

export const Route = createFileRoute('/reseller')({
  staticData: { frame: 'desk' },
  component: ResellerScreen,
})
