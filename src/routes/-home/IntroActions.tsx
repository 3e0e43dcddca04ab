import type { HomepagePanel } from '#contract/home.ts'
import { firstShelf, isOpen, shop, trialOffer } from '#features/shop-details/shop.ts'
import { useOwesPayment, useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'

/** The intro speaks to a visitor: everybody is one on the server and until the session is known. */
const useReader = (): 'visitor' | 'user' | 'member' =>
  useSession((state) =>
    state.status !== 'user' ? 'visitor' : state.user?.currentSubscription ? 'member' : 'user',
  )

export function useIntroText(text: HomepagePanel['introText'] | undefined): string {
  const reader = useReader()
  return text?.[reader] ?? ''
}

/** HOME-03 to HOME-05: a member gives, a user tries, a visitor finds out. */
export function IntroActions() {
  const reader = useReader()
  const owes = useOwesPayment()
  return (
    <>
      {reader === 'visitor' && isOpen('/subscription') ? (
        <LinkButton look="beak" to="/subscription/{-$token}">
          Discover membership
        </LinkButton>
      ) : (
        <LinkButton look="beak" to={firstShelf().to}>
          {firstShelf().words}
        </LinkButton>
      )}
      {reader === 'member' ? (
        isOpen('/gift') && (
          <LinkButton look="text" to="/gift" search={{ plan: '3' }}>
            {shop().plans ? 'Give a membership' : 'Gift Premium Membership'}
          </LinkButton>
        )
      ) : owes ? (
        <LinkButton look="text" to="/subscription-details">
          Your membership
        </LinkButton>
      ) : (
        isOpen('/free-trial') && (
          <LinkButton look="text" to="/free-trial">
            {trialOffer()}
          </LinkButton>
        )
      )}
    </>
  )
}
