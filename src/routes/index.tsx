import { createFileRoute } from '@tanstack/react-router'
import { homepageQuery, staffPicksQuery } from '#features/home/queries.ts'
import { hasStarted } from '#features/library/started.ts'
import { HomeScreen } from './-home/HomeScreen.tsx'

export const Route = createFileRoute('/')({
  staticData: { frame: 'window' },
  loader: async ({ context: { queryClient } }) => {
    const isRendered = queryClient.getQueryData(homepageQuery().queryKey) !== undefined
    const shops = Promise.all([
      queryClient.ensureQueryData(homepageQuery()),
      queryClient.ensureQueryData(staffPicksQuery()),
    ])
    // The user's own part is shown without waiting for the shop's.
    if (import.meta.env.SSR || isRendered || !(await hasStarted())) {
      await shops
      return
    }
    shops.catch(() => undefined)
    // Beside the screen's code, which would load it only after its own first rendering.
    import('./-home/OwnHome.tsx').catch(() => undefined)
  },
  component: HomeScreen,
})
