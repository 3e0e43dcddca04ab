import { isEmailAddress } from '#contract/limits.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { create } from 'zustand'
import { call } from '#net/call.ts'

/**
 * The state of a gift's address: nothing typed, being typed, malformed, being looked up or saved, owner has
 * the book already, saved by the server, or not saved because the server was unreachable.
 */
export type GiftCheck = 'empty' | 'typing' | 'invalid' | 'checking' | 'duplicate' | 'valid' | 'unsaved'

export const isAddress = (email: string): boolean => isEmailAddress(email) && email.trim().length <= 254

/** How long typing must pause before an address is looked up (GIFT-05) or a message saved. */
export const CHECK_AFTER_MS = 400
/** How long a gift shows that it was saved (GIFT-16). */
export const UPDATED_FOR_MS = 1_000

interface GiftLine {
  readonly uuid: string
  readonly gift: boolean
  readonly giftEmail: string | null
  readonly available: boolean
}

/**
 * BAG-21: each gift that can be bought has a valid address. The form's own state counts, even before the
 * server knows that the item is a gift; for an untouched form, the server's state counts.
 */
export const giftsReady = (
  items: readonly GiftLine[],
  checks: Readonly<Record<string, GiftCheck>>,
): boolean =>
  items.every((item) => {
    if (!item.available) return true
    const check = checks[item.uuid]
    if (check !== undefined) return check === 'valid'
    return !item.gift || (item.giftEmail !== null && item.giftEmail !== '')
  })

interface GiftsState {
  /** By bag item; an item without an entry has the state that the server stored. */
  readonly checks: Readonly<Record<string, GiftCheck>>
}

export const useGifts = create<GiftsState>()(() => ({ checks: {} }))

export const setCheck = (uuid: string, check: GiftCheck): void =>
  useGifts.setState(({ checks }) => ({ checks: { ...checks, [uuid]: check } }))

/** Only this item: the others keep their results (BAG-24). */
export const forgetGift = (uuid: string): void =>
  useGifts.setState(({ checks }) => {
    const { [uuid]: _gone, ...others } = checks
    return { checks: others }
  })

interface AddressCheckDeps {
  readonly purchased: (email: string) => Promise<boolean>
  readonly save: (email: string) => Promise<unknown>
  readonly onChecked: (check: GiftCheck) => void
}

/**
 * Checks an address while it is typed: when it is well-formed and unchanged for 400 ms, looks it up, and
 * saves it unless its owner has the book (GIFT-05). A response for an address that has changed since is
 * ignored.
 */
export function addressChecker({ purchased, save, onChecked }: AddressCheckDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0

  const look = async (email: string, mine: number) => {
    onChecked('checking')
    // If the look-up fails or is rate-limited, assume that the recipient doesn't have the book.
    const owned = await purchased(email).catch(() => false)
    if (mine !== attempt) return
    if (owned) return onChecked('duplicate')
    const kept = await save(email).then(
      () => true,
      () => false,
    )
    // ERR-24: the form stays usable and shows no message; blur tries again.
    if (mine === attempt) onChecked(kept ? 'valid' : 'unsaved')
  }

  return {
    typed(email: string) {
      clearTimeout(timer)
      const mine = ++attempt
      if (email.trim() === '') return onChecked('empty')
      onChecked('typing')
      if (isAddress(email)) timer = setTimeout(() => void look(email.trim(), mine), CHECK_AFTER_MS)
    },
    left(email: string, check: GiftCheck | undefined) {
      if (email.trim() !== '' && !isAddress(email)) return onChecked('invalid')
      if (check === 'unsaved') void look(email.trim(), ++attempt)
    },
    forget() {
      clearTimeout(timer)
      attempt++
    },
  }
}

export const isPurchased = async (
  kind: 'audio_books' | 'e_books',
  slug: string,
  email: string,
): Promise<boolean> =>
  (
    await call(`POST /api/${kind}/{id}/purchased`, {
      params: { id: slug },
      body: { email },
      background: true,
    })
  ).purchased

/** One checker per mounted form; it always calls the callbacks of the latest render. */
export function useAddressChecker(deps: AddressCheckDeps) {
  const checker = useRef<ReturnType<typeof addressChecker>>(undefined)
  const purchased = useEffectEvent(deps.purchased)
  const save = useEffectEvent(deps.save)
  const onChecked = useEffectEvent(deps.onChecked)
  useEffect(() => {
    checker.current = addressChecker({
      purchased: (email) => purchased(email),
      save: (email) => save(email),
      onChecked: (check) => onChecked(check),
    })
    return () => checker.current?.forget()
  }, [])
  return () => checker.current!
}
