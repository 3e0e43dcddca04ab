/** Only ever back to a screen of ours. */
export const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined

export interface GiftLink {
  email?: string
  token?: string
  type?: string
}

/** What a gift link carries, through log-in and sign-up (OP-21). */
export function giftLink(search: Record<string, unknown>): GiftLink {
  const link: GiftLink = {}
  for (const name of ['email', 'token', 'type'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') link[name] = value
  }
  return link
}
