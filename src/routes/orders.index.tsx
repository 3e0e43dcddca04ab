import { createFileRoute } from '@tanstack/react-router'
import { countIn } from '#features/catalogue/filter.ts'
import { MembersOnly } from './-MembersOnly.tsx'
import { OrdersScreen } from './-OrdersScreen.tsx'

export const Route = createFileRoute('/orders/')({
  validateSearch: (search): { page?: number } => {
    const page = countIn(search.page)
    return page && page > 1 ? { page } : {}
  },
  component: () => (
    <MembersOnly>
      <OrdersScreen page={Route.useSearch().page ?? 1} />
    </MembersOnly>
  ),
})
