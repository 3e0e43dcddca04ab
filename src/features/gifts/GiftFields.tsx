import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { GIFT_MESSAGE_LENGTH } from '#contract/limits.ts'
import { MESSAGES } from '#contract/messages.ts'
import { Checkbox } from '#ui/Checkbox.tsx'
import { EmailField, TextArea } from '#ui/Field.tsx'
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
import styles from './gifts.module.css'

interface GiftDraft {
  gift: boolean
  giftEmail?: string | null
  giftMessage?: string | null
}

interface GiftFieldsProps {
  uuid: string
  kind: 'audio_books' | 'e_books'
  slug: string
  title: string
  gift: boolean
  giftEmail: string | null
  giftMessage: string | null
  /** It is in the buyer's library already: it can only be given (GIFT-11). */
  forced: boolean
  /** Keeps it on the server; rejects where it was not kept. */
  save: (draft: GiftDraft) => Promise<unknown>
}

/** The gift toggle of a bag item, and below it who gets it and with which words. */
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

  // No gift any more, here or in another tab: what its address was like keeps nobody from paying.
  useEffect(() => {
    if (!on) forgetGift(uuid)
  }, [on, uuid])

  const toggle = async (next: boolean) => {
    checker().forget()
    words().forget()
    setWanted(next)
    // Off forgets who and what (GIFT-10); on begins with nothing.
    setEmail('')
    setMessage('')
    forgetGift(uuid)
    if (next) setCheck(uuid, 'empty')
    try {
      await save({ gift: next })
    } catch {
      // The server's answer is what counts.
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
            hint={hintFor(check, updated)}
            onFocus={() => {
              // A message makes room for what is typed next; that somebody has the book stays true (GIFT-14).
              if (check === 'invalid') setCheck(uuid, 'typing')
            }}
            onChange={(event) => {
              setEmail(event.target.value)
              checker().typed(event.target.value)
            }}
            onBlur={leave}
            onKeyDown={(event) => {
              // A second attempt says what is wrong without leaving the field (GIFT-12).
              if (event.key === 'Enter' && !isAddress(email)) leave()
            }}
          />
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

function hintFor(check: string | undefined, updated: boolean): string {
  if (check === 'checking') return 'Checking whether they already have it'
  return updated ? 'Saved' : 'We’ll email the book here once you’ve paid.'
}

/**
 * Keeps a gift's message each time its writer rests, and when its field is left: a tab may be closed without leaving
 * any field. A message that could not be kept is tried again the next time.
 */
export function messageDraft(kept: string, save: (message: string) => Promise<unknown>) {
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
