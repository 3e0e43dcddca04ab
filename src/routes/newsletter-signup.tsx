import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { NewsletterScreen } from './-pages/NewsletterScreen.tsx'

export const Route = createFileRoute('/newsletter-signup')({
  staticData: { frame: 'newsletter' },
  validateSearch: (search): { confirm?: string | undefined } => ({ confirm: textIn(search.confirm) }),
  component: () => <NewsletterScreen confirm={Route.useSearch().confirm} />,
})
