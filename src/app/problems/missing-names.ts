/** Paths whose not-found page has a title of its own (NAV-53): their screens come on demand, or are no longer there. */
const NAMES: Readonly<Record<string, string>> = {
  '/payment': 'Payment',
  '/payment-problem': 'Payment problem',
  '/gift': 'Gift',
  '/free-trial': 'Free trial',
  '/xmas': 'Christmas',
  '/promo': 'Promo',
}

export const missingName = (path: string): string | undefined => NAMES[path.replace(/(?<=.)\/+$/, '')]
