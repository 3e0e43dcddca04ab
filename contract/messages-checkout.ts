/**
 * The sentence under a button that pays at once. The page sends the one that it showed, and the order keeps it; another
 * sentence is refused.
 */
export const BUY_NOW_CONSENT = 'It’s yours at once, so you can’t cancel afterwards.'
