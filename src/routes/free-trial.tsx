import { createFileRoute } from '@tanstack/react-router'
import { FreeTrialScreen } from '#screens/membership/FreeTrialScreen.tsx'

export const Route = createFileRoute('/free-trial')({ component: FreeTrialScreen })
