import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordScreen } from './-account/ForgotPasswordScreen.tsx'

export const Route = createFileRoute('/forgot-password')({ component: ForgotPasswordScreen })
