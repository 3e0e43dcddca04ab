import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { GIFT_MESSAGE_LENGTH } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { dayIn, todayIn, typedDay } from '#format/calendar-day.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { DayField } from '#ui/DayField.tsx'
import { EmailField, TextArea } from '#ui/Field.tsx'
import { useNow } from '#ui/use-now.ts'
import {
  CHECK_AFTER_MS,
  forgetGift,
  isAddress,
  isPurchased,
  setCheck,
  UPDATED_FOR_MS,
  useAddressChecker,
  useGifts,
} from './address-check.ts'
import { arrivalInWords, useGiverZone } from './draft.ts'
import styles from './gifts.module.css'

interface GiftDraft {
  gift: boolean
  giftEmail?: string | null
  giftMessage?: string | null
  giftDeliveryDate?: string | null
  giftTimeZone?: string
}

interface GiftFieldsProps {
  uuid: string
  kind: 'audio_books' | 'e_books'
  slug: string
  title: string
  gift: boolean
  giftEmail: string | null
  giftMessage: string | null
  giftDeliveryDate: string | null
  /** The title is in the buyer's library already: it can only be given (GIFT-11). */
  forced: boolean
  save: (draft: GiftDraft) => Promise<unknown>
}

export function GiftFields(props: GiftFieldsProps) {
  const { uuid, kind, slug, title, forced, save } = props
  const [wanted, setWanted] = useState<boolean>()
  const on = forced || (wanted ?? props.gift)
  const [email, setEmail] = useState(props.giftEmail ?? '')
  const [message, setMessage] = useState(props.giftMessage ?? '')
  const [updated, setUpdated] = useState(false)
  const check = useGifts((state) => state.checks[uuid])
  const hintId = useId()

  const keep = async (draft: GiftDraft) => {
    await save(draft)
    setUpdated(true)
  }
  useEffect(() => {
    if (!updated) return undefined
    const timer = setTimeout(() => setUpdated(false), UPDATED_FOR_MS)
    return () => clearTimeout(timer)
  }, [updated])

  const checker = useAddressChecker({
    purchased: (address) => isPurchased(kind, slug, address),
    save: (address) => keep({ gift: true, giftEmail: address }),
    onChecked: (next) => setCheck(uuid, next),
  })

  // No longer a gift, here or in another tab: an invalid address must not block the payment.
  useEffect(() => {
    if (!on) forgetGift(uuid)
  }, [on, uuid])

  const toggle = async (next: boolean) => {
    checker().forget()
    words().forget()
    setWanted(next)
    // Turning it off clears address and message (GIFT-10).
    setEmail('')
    setMessage('')
    forgetGift(uuid)
    if (next) setCheck(uuid, 'empty')
    try {
      await save({ gift: next })
    } catch {
      // Use the server's state from now on.
      forgetGift(uuid)
    } finally {
      setWanted(undefined)
    }
  }
  const leave = () => {
    checker().left(email, check)
  }
  const words = useMessageKeeper(props.giftMessage ?? '', (giftMessage) => keep({ gift: true, giftMessage }))
  const problem =
    check === 'duplicate' ? MESSAGES.alreadyHaveBook : check === 'invalid' ? MESSAGES.invalidEmail : undefined

  return (
    <div className="stack gap-2">
      <Checkbox
        label="Send as a gift"
        aria-label={`Send as a gift, ${title}`}
        checked={on}
        disabled={forced}
        aria-describedby={forced ? hintId : undefined}
        onChange={(event) => void toggle(event.target.checked)}
      />
      {forced && (
        <p id={hintId} className={styles.hint}>
          You already own this one, so it can only be a gift.
        </p>
      )}
      {on && (
        <div className={styles.fields}>
          <EmailField
            label="Their email"
            autoComplete="off"
            value={email}
            error={problem}
            hint={hintFor(check, updated, Boolean(props.giftDeliveryDate))}
            onFocus={() => {
              // Typing removes the message, except that the recipient owns the book already (GIFT-14).
              if (check === 'invalid') setCheck(uuid, 'typing')
            }}
            onChange={(event) => {
              setEmail(event.target.value)
              checker().typed(event.target.value)
            }}
            onBlur={leave}
            onKeyDown={(event) => {
              // A second attempt shows the problem without blur (GIFT-12).
              if (event.key === 'Enter' && !isAddress(email)) leave()
            }}
          />
          <GiftDay day={props.giftDeliveryDate} keep={keep} />
          <TextArea
            label="Your message"
            hint="Optional. We’ll include it in the gift email."
            rows={3}
            maxLength={GIFT_MESSAGE_LENGTH}
            value={message}
            onChange={(event) => {
              setMessage(event.target.value)
              words().typed(event.target.value)
            }}
            onBlur={() => words().keep()}
          />
        </div>
      )}
    </div>
  )
}

interface GiftDayProps {
  day: string | null
  keep: (draft: GiftDraft) => Promise<unknown>
}

/** A day is saved once it is complete and hasn't passed. */
function GiftDay({ day, keep }: GiftDayProps) {
  const now = useNow()
  const zone = useGiverZone()
  const [typed, setTyped] = useState(day ? typedDay(day) : '')
  const [hasLeft, setHasLeft] = useState(false)
  const saved = useRef(day)
  const today = zone && todayIn(zone, now)
  const chosen = dayIn(typed)
  const isGone = chosen !== undefined && today !== undefined && chosen < today
  const problem =
    typed.trim() === '' || (chosen && !isGone)
      ? undefined
      : isGone
        ? 'Choose today or a later day'
        : 'Write the day as DD/MM/YYYY'
  const change = (text: string) => {
    setTyped(text)
    const next = text.trim() === '' ? null : dayIn(text)
    if (next === undefined || next === saved.current || !zone || (next && today && next < today)) return
    const before = saved.current
    saved.current = next
    keep({ gift: true, giftDeliveryDate: next, giftTimeZone: zone }).catch(() => {
      if (saved.current === next) saved.current = before
    })
  }
  return (
    <DayField
      folded
      label="When it arrives"
      value={typed}
      first={today}
      error={hasLeft || isGone ? problem : undefined}
      hint={
        zone && chosen && !problem
          ? arrivalInWords(chosen, zone, now)
          : 'Optional. Without a day it goes as soon as you’ve paid.'
      }
      onChange={change}
      onBlur={() => setHasLeft(true)}
    />
  )
}

function useMessageKeeper(kept: string, saveNow: (message: string) => Promise<unknown>) {
  const keeper = useRef<ReturnType<typeof messageDraft>>(undefined)
  const first = useRef(kept)
  const save = useEffectEvent(saveNow)
  useEffect(() => {
    const { forget, keep } = (keeper.current = messageDraft(first.current, (message) => save(message)))
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
      forget()
    }
  }, [])
  return () => keeper.current!
}

function hintFor(check: string | undefined, updated: boolean, hasDay: boolean): string {
  if (check === 'checking') return 'Checking whether they already have it'
  if (updated) return 'Saved'
  return hasDay ? 'We’ll email the book here on its day.' : 'We’ll email the book here once you’ve paid.'
}

/**
 * Saves a gift's message after each pause in typing and on blur, because a tab can be closed without a blur.
 * A message that couldn't be saved is sent again the next time.
 */
function messageDraft(kept: string, save: (message: string) => Promise<unknown>) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let known = kept
  let text = kept

  const keep = () => {
    clearTimeout(timer)
    if (text === known) return
    const before = known
    const mine = (known = text)
    save(mine).catch(() => {
      if (known === mine) known = before
    })
  }
  return {
    typed(message: string) {
      text = message
      clearTimeout(timer)
      timer = setTimeout(keep, CHECK_AFTER_MS)
    },
    keep,
    forget: () => {
      clearTimeout(timer)
      known = text = ''
    },
  }
}
