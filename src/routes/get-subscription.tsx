import { createFileRoute } from '@tanstack/react-router'
import { giftLink } from '#features/account/gift-link.ts'
import { OpenGiftScreen } from './-gifts/OpenGiftScreen.tsx'

export const Route = createFileRoute('/get-subscription')({
  staticData: { frame: 'checkout' },
  validateSearch: giftLink,
  component: () => {
    const { email, token, gift } = Route.useSearch()
    return <OpenGiftScreen kind="membership" email={email} token={token} gift={gift} />
  },
})
