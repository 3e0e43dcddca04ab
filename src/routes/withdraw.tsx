import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { WithdrawScreen } from './-pages/WithdrawScreen.tsx'

export const Route = createFileRoute('/withdraw')({
  validateSearch: (search: { order?: string | undefined }) => search,
  component: () => <WithdrawScreen order={textIn(Route.useSearch().order)} />,
})
