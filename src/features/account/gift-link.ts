import { tabStorage } from '#storage/page-storage.ts'
import { textIn } from '#format/address.ts'

export interface GiftLink {
  email?: string | undefined
  token?: string | undefined
  type?: string | undefined
  /** The id of an unclaimed gift for the current account. */
  gift?: string | undefined
}

/** The content of a gift link, carried through log-in and sign-up (OP-21). */
export const giftLink = ({ email, token, type, gift }: Record<string, unknown>): GiftLink => ({
  email: textIn(email),
  token: textIn(token),
  type: textIn(type),
  gift: textIn(gift),
})

const JOINED_FOR = 'giftJoinedFor'

/** Joining "to keep" a gift also claims it: the gift's page then does so once, without another press. */
export function openAfterJoining(token: string | undefined): void {
  if (token !== undefined) tabStorage.setItem(JOINED_FOR, token)
}

/** True once, for the gift that the visitor just joined to keep. In sessionStorage, because its page may be another document. */
export function joinedToOpen(token: string | undefined): boolean {
  if (token === undefined || tabStorage.getItem(JOINED_FOR) !== token) return false
  tabStorage.removeItem(JOINED_FOR)
  return true
}

/** Where a user who is logged in claims the gift (ACC-39). */
export function claimPath({ email, token, type }: GiftLink): string {
  const query = new URLSearchParams()
  if (email) query.set('email', email)
  if (token) query.set('token', token)
  return `${type === 'subscription' ? '/get-subscription' : '/get-book'}?${query.toString()}`
}
