import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { type QueryClient, useIsMutating, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import type { PlanDiscount } from '#contract/discounts.ts'
import type { PlanId } from '#contract/plans.ts'
import { giftPurchase, planPurchase } from '#features/checkout/purchases.ts'
import { rememberedPlanCode, rememberPlanCode, takeCode } from '#features/checkout/store.ts'
import { PlanCodeBox } from '#features/discounts/CodeBox.tsx'
import { CODE_KEY, lookAtPlanCode, planPriceQuery } from '#features/discounts/codes.ts'
import {
  arrivalInWords,
  useGiftCheck,
  useGiftDraft,
  useGiftProblems,
  useGiverZone,
} from '#features/gifts/draft.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { PlanTiles, GiftSection, RecipientFields } from '#features/gifts/MembershipGiftFields.tsx'
import { plans } from '#features/shop-details/plans.ts'
import { dayIn } from '#format/calendar-day.ts'
import { useSession } from '#session/store.ts'
import { announce } from '#ui/announce.ts'
import { Button } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { Icon } from '#ui/Icon.tsx'
import { useNow } from '#ui/use-now.ts'
import styles from './checkout.module.css'
import { LostCode } from './Checkout.tsx'
import { MembershipCheckout } from './MembershipCheckout.tsx'
import { PlanSummary } from './summaries.tsx'

interface PlanCheckoutProps {
  plan: PlanId
  gift?: Occasion | undefined
}

/** The checkout for a plan, for the buyer or as a gift (GIFT-02, GIFT-03). */
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
  /**
   * Reapplies a code that was applied before, or says that it can't be used any more (docs/product.md,
   * Money).
   */
  const [open] = useState(() => async (queries: QueryClient) => {
    const kept = takeCode('membership') ?? rememberedPlanCode()
    if (!kept) return undefined
    const found = await lookAtPlanCode(queries, kept, plan)
    if ('problem' in found) {
      setLost({ code: kept, why: found.problem })
      // Keep the code if the look-up failed: it may still be valid.
      if (!found.isUnchecked) rememberPlanCode(undefined)
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
  /** A code has another effect on another plan, or none. */
  const choose = async (next: PlanId) => {
    go({ plan: next, ...(gift && { gift }) })
    if (!applied) return
    setLooking(true)
    const mine = (turn.current += 1)
    const found = await queryClient.fetchQuery(planPriceQuery(applied.code, next)).catch(() => undefined)
    // Another plan was selected meanwhile: use its response instead.
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

/** ERR-01: a second membership of one's own is not sold. A gift doesn't count. */
const useHasOwnMembership = (): boolean =>
  useSession(({ user }) => user?.currentSubscription != null && !user.currentSubscription.gift)

interface GiftInCheckoutProps {
  plan: PlanId
  occasion: Occasion
  nowMs: number
  onChoose: (plan: PlanId) => void
}

/**
 * Recipient, day and message: a summary line if the draft is complete, else the fields (GIFT-04, PLAN-05).
 */
function GiftInCheckout({ plan, occasion, nowMs, onChoose }: GiftInCheckoutProps) {
  const problems = useGiftProblems(occasion, nowMs)
  const id = useId()
  const isWhole = Object.keys(problems).length === 0
  const [open, setOpen] = useState(!isWhole)
  return (
    <>
      {occasion === 'xmas' && (
        <GiftSection title="The membership">
          <PlanTiles occasion={occasion} chosen={plan} onChoose={onChoose} />
        </GiftSection>
      )}
      {open || !isWhole ? (
        <RecipientFields occasion={occasion} tried={!open} nowMs={nowMs} id={id} />
      ) : (
        <Known nowMs={nowMs} onChange={() => setOpen(true)} />
      )}
    </>
  )
}

function Known({ nowMs, onChange }: Pick<GiftInCheckoutProps, 'nowMs'> & { onChange: () => void }) {
  const { firstName, email, message, day } = useGiftDraft()
  const zone = useGiverZone()
  useGiftCheck()
  const chosen = dayIn(day)
  return (
    <section className={styles.known} aria-label="Your gift">
      <Icon of={GiftIcon} />
      <div>
        <p>
          <b>For {firstName.trim() ? `${firstName.trim()}, ${email.trim()}` : email.trim()}</b>
        </p>
        <p>
          {chosen && zone
            ? arrivalInWords(chosen, zone, nowMs)
            : 'We’ll write to them as soon as you’ve paid.'}
        </p>
        {message.trim() !== '' && <blockquote>{message}</blockquote>}
        <Button look="text" onClick={onChange} aria-label="Change who it’s for, the note or the day">
          Change
        </Button>
      </div>
    </section>
  )
}
