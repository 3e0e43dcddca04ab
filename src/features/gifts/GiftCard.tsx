import { useEffect, useState } from 'react'
import type { PlanId } from '#contract/plans.ts'
import { Band } from '#ui/Band.tsx'
import { Display } from '#ui/Display.tsx'
import { Flock } from '#ui/Flock.tsx'
import { HOUSE, titleTheme } from '#ui/title-theme.ts'
import styles from './gifts.module.css'
import { giftPromise, giftTitle, type Occasion } from './occasions.ts'

/** The preview updates after this pause in typing (docs/design.md, Screens). */
const FOLLOWS_AFTER_MS = 150

/** The brand's colours, and those of a winter evening. */
export const GIFT_COLOURS = {
  gift: HOUSE,
  xmas: titleTheme('17313A', '102630', 'F3E4C8'),
} as const

interface GiftCardProps {
  plan: PlanId
  occasion: Occasion
  recipient: string
  giver: string
  message: string
}

export function GiftCard({ plan, occasion, ...typed }: GiftCardProps) {
  const { recipient, giver, message } = useRested(typed)
  const [length, name] = giftTitle(plan)
  return (
    <Band as="div" theme={GIFT_COLOURS[occasion]} className={styles.card}>
      <Flock fir={occasion === 'xmas'} className={occasion === 'xmas' ? styles.fir : styles.flock} />
      <p className={styles.from}>{recipient ? `For ${recipient}, from ${giver}` : `From ${giver}`}</p>
      <Display as="p" size="lg" className={styles.what}>
        {length} {name}
      </Display>
      {message.trim() !== '' && <p className={styles.note}>{message}</p>}
      <p className={styles.promise}>{giftPromise(plan)}</p>
    </Band>
  )
}

function useRested(typed: Pick<GiftCardProps, 'recipient' | 'giver' | 'message'>) {
  const { recipient, giver, message } = typed
  const [shown, setShown] = useState({ recipient, giver, message })
  useEffect(() => {
    const timer = setTimeout(() => setShown({ recipient, giver, message }), FOLLOWS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [recipient, giver, message])
  return shown
}
