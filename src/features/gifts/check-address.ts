import { call } from '#net/call.ts'
import { CHECK_AFTER_MS, isAddress, type GiftCheck } from './model.ts'

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
