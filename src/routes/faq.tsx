import { createFileRoute } from '@tanstack/react-router'
import { faqQuery } from '#features/pages/queries.ts'
import { FaqScreen } from './-pages/FaqScreen.tsx'

export const Route = createFileRoute('/faq')({
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(faqQuery()),
  component: FaqScreen,
})
