import { createFileRoute } from '@tanstack/react-router'
import { loadRedemption } from '#features/cards/queries.ts'
import { RedemptionScreen } from '#routes/-cards/RedemptionScreen.tsx'

/** All twelve addresses of NAV-41 and NAV-42: a file each would be 1 kB of every page's first JavaScript. */
export const Route = createFileRoute('/redemption/{-$spisin}/{-$step}')({
  staticData: { frame: 'card' },
  loader: ({ context, params }) => loadRedemption(context, params),
  component: () => <RedemptionScreen {...Route.useLoaderData()} />,
})
