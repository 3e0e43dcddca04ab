import { createFileRoute } from '@tanstack/react-router'
import { homepageQuery, staffPicksQuery } from '#features/home/queries.ts'
import { HomeScreen } from './-home/HomeScreen.tsx'

export const Route = createFileRoute('/')({
  staticData: { frame: 'window' },
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(homepageQuery()),
      queryClient.ensureQueryData(staffPicksQuery()),
    ])
  },
  component: HomeScreen,
})
