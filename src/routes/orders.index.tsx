import { createFileRoute } from '@tanstack/react-router'
import { pageSearch } from '#format/address.ts'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { OrdersScreen } from './-orders/OrdersScreen.tsx'

export const Route = createFileRoute('/orders/')({
  validateSearch: pageSearch,
  component: () => (
    <MembersOnly>
      <OrdersScreen page={Route.useSearch().page} />
    </MembersOnly>
  ),
})
