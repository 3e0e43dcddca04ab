import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-MembersOnly.tsx'
import { ReceiptScreen } from './-ReceiptScreen.tsx'

export const Route = createFileRoute('/orders/$id')({
  component: () => (
    <MembersOnly>
      <ReceiptScreen id={Route.useParams().id} />
    </MembersOnly>
  ),
})
