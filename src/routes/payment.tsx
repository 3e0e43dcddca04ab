import { createFileRoute } from '@tanstack/react-router'
import { PaymentScreen } from './-PaymentScreen.tsx'

export const Route = createFileRoute('/payment')({ component: PaymentScreen })
