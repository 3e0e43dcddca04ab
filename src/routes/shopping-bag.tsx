import { createFileRoute } from '@tanstack/react-router'
import { BagScreen } from '#screens/bag/BagScreen.tsx'

export const Route = createFileRoute('/shopping-bag')({ component: BagScreen })
