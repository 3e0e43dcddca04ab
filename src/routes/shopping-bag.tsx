import { createFileRoute } from '@tanstack/react-router'
import { BagScreen } from './-bag/BagScreen.tsx'

export const Route = createFileRoute('/shopping-bag')({ component: BagScreen })
