import { createFileRoute } from '@tanstack/react-router'
import { pageSearch } from '#format/address.ts'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { OrdersScreen } from '#screens/orders/OrdersScreen.tsx'

export const Route = createFileRoute('/orders/')({
  validateSearch: pageSearch,
  component: () => (
    <MembersOnly>
      <OrdersScreen page={Route.useSearch().page} />
    </MembersOnly>
  ),
})
