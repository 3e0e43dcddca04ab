import { createFileRoute } from '@tanstack/react-router'
import { Later } from './-Later.tsx'

export const Route = createFileRoute('/sign-up')({
  component: () => (
    <Later title="Join Murmur" way={{ to: '/browse', words: 'Browse the shelves' }}>
      New accounts open together with our till. Until then every shelf, every sample and the whole journal are
      here to be read and heard.
    </Later>
  ),
})
