/** The sentence under a button that buys one title at once. */
export const BUY_NOW_CONSENT = 'It’s yours at once, so you can’t cancel afterwards.'

/**
 * The sentence under a button that pays at once. The page sends the one that it showed, and the order keeps it; another
 * sentence is refused.
 */
export function buyNowConsent({ own, gifts }: { readonly own: number; readonly gifts: number }): string {
  const ofOwn = own === 1 ? BUY_NOW_CONSENT : 'They’re yours at once, so you can’t cancel afterwards.'
  const ofGifts =
    gifts === 1
      ? 'You can take your gift back within 14 days, but not once it’s been opened.'
      : 'You can take each gift back within 14 days, but not once it’s been opened.'
  return [own > 0 && ofOwn, gifts > 0 && ofGifts].filter(Boolean).join(' ')
}
