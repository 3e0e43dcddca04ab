import { isEmailAddress } from '#contract/limits.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { create } from 'zustand'
import { call } from '#net/call.ts'

/**
 * The state of the address of one gift: nothing typed, being typed, of a wrong shape, being looked up or saved, of
 * somebody who has the book, kept by the server, or not kept because nobody answered.
 */
export type GiftCheck = 'empty' | 'typing' | 'invalid' | 'checking' | 'duplicate' | 'valid' | 'unsaved'

export const isAddress = (email: string): boolean => isEmailAddress(email) && email.trim().length <= 254

/** Somebody must have stopped typing for this long before an address is looked up (GIFT-05), or a message kept. */
export const CHECK_AFTER_MS = 400
/** A gift says this long that it was saved (GIFT-16). */
export const UPDATED_FOR_MS = 1_000

interface GiftLine {
  readonly uuid: string
  readonly gift: boolean
  readonly giftEmail: string | null
  readonly available: boolean
}

/**
 * BAG-21: each gift that can be bought has an address that holds. The form's own state counts, also before the
 * server has heard that it is a gift; where it was not touched, what the server kept holds.
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
  /** By bag item; an item without one stands as the server keeps it. */
  readonly checks: Readonly<Record<string, GiftCheck>>
}

export const useGifts = create<GiftsState>()(() => ({ checks: {} }))

export const setCheck = (uuid: string, check: GiftCheck): void =>
  useGifts.setState(({ checks }) => ({ checks: { ...checks, [uuid]: check } }))

/** Of this item only: the others keep what was found out about them (BAG-24). */
export const forgetGift = (uuid: string): void =>
  useGifts.setState(({ checks }) => {
    const { [uuid]: _gone, ...others } = checks
    return { checks: others }
  })

export interface AddressCheckDeps {
  /** Asks if the owner of this address has the book already. */
  readonly purchased: (email: string) => Promise<boolean>
  readonly save: (email: string) => Promise<unknown>
  readonly onChecked: (check: GiftCheck) => void
}

/**
 * Follows an address as it is typed: well formed and at rest for 400 ms it is looked up, and kept where its owner
 * does not have the book (GIFT-05). An answer about an address that was changed meanwhile is not heard.
 */
export function addressChecker({ purchased, save, onChecked }: AddressCheckDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0

  const look = async (email: string, mine: number) => {
    onChecked('checking')
    // If nobody can tell, or too many were asked, the buyer is believed.
    const owned = await purchased(email).catch(() => false)
    if (mine !== attempt) return
    if (owned) return onChecked('duplicate')
    const kept = await save(email).then(
      () => true,
      () => false,
    )
    // ERR-24: the form stays usable and says nothing; leaving the field tries again.
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

/** One for the life of the fields; what it calls is always of the last drawing. */
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
