import { createFileRoute } from '@tanstack/react-router'
import { giftLink } from '#features/account/gift-link.ts'
import { fromSearch } from '#format/address.ts'
import { LogInScreen } from './-account/LogInScreen.tsx'

export const Route = createFileRoute('/login')({
  validateSearch: (search) => ({ ...giftLink(search), ...fromSearch(search) }),
  component: () => {
    const search = Route.useSearch()
    return <LogInScreen {...search} />
  },
})
