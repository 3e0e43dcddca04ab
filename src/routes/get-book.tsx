import { createFileRoute } from '@tanstack/react-router'
import { giftLink } from '#features/account/gift-link.ts'
import { OpenGiftScreen } from './-gifts/OpenGiftScreen.tsx'

export const Route = createFileRoute('/get-book')({
  staticData: { frame: 'checkout' },
  validateSearch: giftLink,
  component: () => {
    const { email, token, gift } = Route.useSearch()
    return <OpenGiftScreen kind="book" email={email} token={token} gift={gift} />
  },
})
