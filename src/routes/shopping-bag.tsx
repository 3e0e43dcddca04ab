import { createFileRoute } from '@tanstack/react-router'
import { BagScreen } from './-BagScreen.tsx'

export const Route = createFileRoute('/shopping-bag')({ component: BagScreen })
