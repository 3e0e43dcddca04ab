import { textIn } from '#format/address.ts'

export interface GiftLink {
  email?: string | undefined
  token?: string | undefined
  type?: string | undefined
}

/** The content of a gift link, carried through log-in and sign-up (OP-21). */
export const giftLink = ({ email, token, type }: Record<string, unknown>): GiftLink => ({
  email: textIn(email),
  token: textIn(token),
  type: textIn(type),
})
