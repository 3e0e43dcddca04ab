import { createFileRoute } from '@tanstack/react-router'
import { homepageQuery, staffPicksQuery } from '#features/home/queries.ts'
import { hasStarted } from '#features/library/started.ts'
import { HomeScreen, loadOwnHome } from './-home/HomeScreen.tsx'

export const Route = createFileRoute('/')({
  staticData: { frame: 'window' },
  loader: async ({ context: { queryClient } }) => {
    const isRendered = queryClient.getQueryData(homepageQuery().queryKey) !== undefined
    const shops = Promise.all([
      queryClient.ensureQueryData(homepageQuery()),
      queryClient.ensureQueryData(staffPicksQuery()),
    ])
    if (import.meta.env.SSR) {
      await shops
      return
    }
    // The user's own part is shown without waiting for the shop's.
    if (isRendered || !(await hasStarted())) await shops
    else {
      shops.catch(() => undefined)
      await loadOwnHome().catch(() => undefined)
    }
  },
  component: HomeScreen,
})
