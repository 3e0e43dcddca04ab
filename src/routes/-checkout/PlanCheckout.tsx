import { useIsMutating, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import { MESSAGES } from '#contract/messages.ts'
import type { PlanId } from '#contract/plans.ts'
import { plans } from '#features/shop-details/plans.ts'
import { rememberedPlanCode, rememberPlanCode, takeCode } from '#features/checkout/pending.ts'
import { CODE_KEY } from '#features/discounts/mutations.ts'
import { PlanCodeBox } from '#features/discounts/PlanCodeBox.tsx'
import { lookAtPlanCode, planPriceQuery } from '#features/discounts/queries.ts'
import { useGiverZone } from '#features/gifts/giver-zone.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { useGiftProblems } from '#features/gifts/use-gift-problems.ts'
import { useGiftDraft } from '#features/gifts/draft.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { useNow } from '#ui/use-now.ts'
import { GiftInCheckout } from './GiftInCheckout.tsx'
import { giftPurchase } from '#features/checkout/gift-purchase.ts'
import { LostCode } from './LostCode.tsx'
import { MembershipCheckout } from './MembershipCheckout.tsx'
import { planPurchase } from '#features/checkout/plan-purchase.ts'
import { PlanSummary } from './PlanSummary.tsx'
import styles from './checkout.module.css'

interface PlanCheckoutProps {
  plan: PlanId
  /** It is given to somebody; without it, it is the buyer's own. */
  gift?: Occasion | undefined
}

/** A plan, of one's own or for somebody else (GIFT-02, GIFT-03). */
export function PlanCheckout({ plan, gift }: PlanCheckoutProps) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const now = useNow()
  const zone = useGiverZone()
  const draft = useGiftDraft()
  const problems = useGiftProblems(gift ?? 'gift', now)
  const [applied, apply] = useState<{ code: string; discount: PlanDiscount }>()
  const setApplied = (next: typeof applied) => {
    apply(next)
    rememberPlanCode(next?.code)
  }
  const [lost, setLost] = useState<{ code: string; why: string }>()
  const [looking, setLooking] = useState(false)
  /** Reapplies a code that was applied before, or says that it can't be used any more (docs/product.md, Money). */
  const [open] = useState(() => async (queries: QueryClient) => {
    const kept = takeCode('membership') ?? rememberedPlanCode()
    if (!kept) return undefined
    const found = await lookAtPlanCode(queries, kept, plan)
    if ('problem' in found) {
      setLost({ code: kept, why: found.problem })
      // Keep the code if the look-up failed: it may still be valid.
      if (found.problem !== MESSAGES.discountFailed) rememberPlanCode(undefined)
    } else setApplied({ code: kept, discount: found })
    return undefined
  })
  const isChecking = useIsMutating({ mutationKey: CODE_KEY }) > 0
  const turn = useRef(0)
  const discount = applied?.discount
  const code = applied?.code ?? null
  const isMember = useHasOwnMembership()
  const checking = looking || isChecking ? 'We’re checking your discount code.' : undefined

  const go = (search: { plan: PlanId; gift?: Occasion }) =>
    void navigate({ to: '/payment', search, replace: true, resetScroll: false })
  /** A code does something else to another plan, or nothing. */
  const choose = async (next: PlanId) => {
    go({ plan: next, ...(gift && { gift }) })
    if (!applied) return
    setLooking(true)
    const mine = (turn.current += 1)
    const found = await queryClient.fetchQuery(planPriceQuery(applied.code, next)).catch(() => undefined)
    // Another plan was chosen meanwhile: its own answer counts.
    if (mine !== turn.current) return
    setApplied(found?.valid ? { code: applied.code, discount: found } : undefined)
    if (!found?.valid) announce(`Code ${applied.code} can’t be used for this plan.`)
    setLooking(false)
  }
  return (
    <MembershipCheckout
      open={open}
      purchase={
        gift
          ? giftPurchase({
              plan,
              occasion: gift,
              draft,
              zone: zone ?? '',
              discount,
              code,
              blocked: checking ?? (Object.values(problems)[0] && 'Say who it’s for first.'),
            })
          : planPurchase({ plan, discount, code, blocked: isMember ? 'You’re a member already.' : checking })
      }
      notice={
        <div className={styles.giftForm}>
          {lost && !applied && <LostCode lost={lost} totalMinor={plans()[plan].priceMinor} />}
          {gift !== 'xmas' && plans()[plan].months !== 6 && (
            <Checkbox
              label="Send as a gift"
              checked={gift !== undefined}
              onChange={(event) => go({ plan, ...(event.target.checked && { gift: 'gift' }) })}
            />
          )}
          {isMember && !gift && (
            <p>
              You’re a member already, so this isn’t charged.{' '}
              <Link to="/subscription-details">Change your plan</Link>, or send this one as a gift.
            </p>
          )}
          {gift && (
            <GiftInCheckout plan={plan} occasion={gift} nowMs={now} onChoose={(next) => void choose(next)} />
          )}
        </div>
      }
      summary={
        <PlanSummary
          plan={plan}
          discount={discount}
          recipient={gift && (draft.firstName.trim() || draft.email)}
        >
          <PlanCodeBox plan={plan} applied={applied} onChange={setApplied} />
        </PlanSummary>
      }
    />
  )
}

/** A second membership of one's own is not sold, while what was given runs beside it (ERR-01). */
const useHasOwnMembership = (): boolean =>
  useSession(({ user }) => user?.currentSubscription != null && !user.currentSubscription.gift)
