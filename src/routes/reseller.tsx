import { createFileRoute } from '@tanstack/react-router'
import { Later } from './-Later.tsx'

export const Route = createFileRoute('/reseller')({
  component: () => (
    <Later title="For booksellers" way={{ to: '/info/audiobook-in-a-card', words: 'How the cards work' }}>
      Shops that sell our cards will activate them here once the till is open. How a card works, and how to
      stock them, is told already.
    </Later>
  ),
})
