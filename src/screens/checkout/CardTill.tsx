import { useQuery, useQueryClient } from '@tanstack/react-query'
import { methodInWords } from '#features/membership/method.ts'
import { ownMembershipQuery } from '#features/membership/queries.ts'
import { planInWords } from '#features/membership/model.ts'
import { reloadUser } from '#session/changes.ts'
import { useSession } from '#session/store.ts'
import { MembersOnly } from '../account/MembersOnly.tsx'
import { MembershipTill } from './MembershipTill.tsx'
import { cardPurchase } from './plan-purchase.ts'
import styles from './TillSummary.module.css'

/** A new card of a membership (PAY-24): the failed payment's banner leads here, and a reload stays here. */
export const CardTill = ({ subscription }: { subscription: string }) => (
  <MembersOnly>
    <NewCard subscription={subscription} />
  </MembersOnly>
)

function NewCard({ subscription }: { subscription: string }) {
  const queryClient = useQueryClient()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const query = useQuery({ ...ownMembershipQuery(owner), enabled: owner !== '' })
  const held = query.data?.details?.subscription
  const settled = async () => {
    await reloadUser().catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey: ['own', owner] })
  }
  return (
    <MembershipTill
      purchase={query.isPending ? undefined : cardPurchase(subscription, held?.plan ?? 4, settled)}
      summary={
        <aside aria-label="Your membership">
          <div className={styles.plan}>
            <div>
              <b>{held ? planInWords(held.plan) : 'Your membership'}</b>
              {held && <p>Paid with {lowered(methodInWords(held))} until now.</p>}
            </div>
          </div>
        </aside>
      }
    />
  )
}

const lowered = (words: string) => (words === 'PayPal' ? words : words.replace('Card', 'the card'))
