import { createFileRoute } from '@tanstack/react-router'
import { loadSettings } from '#features/cards/queries.ts'
import { ResellerScreen } from './-outlets/ResellerScreen.tsx'

export const Route = createFileRoute('/reseller')({
  staticData: { frame: 'desk' },
  loader: ({ context }) => loadSettings(context.queryClient),
  component: ResellerScreen,
})
