/** The wallets that a card can be paid from, as the payment provider names them. */
export const WALLETS = ['apple_pay', 'google_pay', 'link'] as const
export type Wallet = (typeof WALLETS)[number]

export const WALLET_NAMES: Readonly<Record<Wallet, string>> = {
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
  link: 'Link',
}
