import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import { useId, useState } from 'react'
import type { PlanId } from '#contract/plans.ts'
import { GiftSection } from '#features/gifts/GiftSection.tsx'
import { arrivalInWords, useGiverZone } from '#features/gifts/giver-zone.ts'
import type { Occasion } from '#features/gifts/occasions.ts'
import { PlanTiles } from '#features/gifts/PlanTiles.tsx'
import { useGiftCheck } from '#features/gifts/use-gift-check.ts'
import { useGiftProblems } from '#features/gifts/use-gift-problems.ts'
import { useGiftDraft } from '#features/gifts/draft.ts'
import { RecipientFields } from '#features/gifts/RecipientFields.tsx'
import { dayIn } from '#format/calendar-day.ts'
import { Button } from '#ui/Button.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './checkout.module.css'

interface GiftInCheckoutProps {
  plan: PlanId
  occasion: Occasion
  nowMs: number
  onChoose: (plan: PlanId) => void
}

/**
 * The recipient, the day and the words: in a line where they are known already, else as fields (GIFT-04, PLAN-05).
 */
export function GiftInCheckout({ plan, occasion, nowMs, onChoose }: GiftInCheckoutProps) {
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
        <Known occasion={occasion} nowMs={nowMs} onChange={() => setOpen(true)} />
      )}
    </>
  )
}

function Known({
  occasion,
  nowMs,
  onChange,
}: Pick<GiftInCheckoutProps, 'occasion' | 'nowMs'> & { onChange: () => void }) {
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
          {occasion === 'xmas' && chosen && zone
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
