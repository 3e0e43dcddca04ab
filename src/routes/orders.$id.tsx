import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { ReceiptScreen } from './-orders/ReceiptScreen.tsx'

export const Route = createFileRoute('/orders/$id')({
  component: () => (
    <MembersOnly>
      <ReceiptScreen id={Route.useParams().id} />
    </MembersOnly>
  ),
})
