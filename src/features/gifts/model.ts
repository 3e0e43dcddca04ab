/**
 * The state of the address of one gift: nothing typed, being typed, of a wrong shape, being looked up or saved, of
 * somebody who has the book, kept by the server, or not kept because nobody answered.
 */
export type GiftCheck = 'empty' | 'typing' | 'invalid' | 'checking' | 'duplicate' | 'valid' | 'unsaved'

/** The standard address pattern, the same as everywhere in the shop (PAY-13, GIFT-12). */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
export const isAddress = (email: string): boolean => ADDRESS.test(email.trim()) && email.trim().length <= 254

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
