/** The exact texts of the checklist (docs/checklist). Texts of a single part of the shop are in that part. */

export const MESSAGES = {
  emailMustBeValid: 'Email must be valid',
  emailRequired: 'Email is required',
  passwordRequired: 'Password is required',
  invalidCredentials: 'Invalid credentials',
  somethingWentWrong: 'Something went wrong, please try again',
  notAvailable: 'Not available',
  notAvailableInRegion: 'Not available in your region',
  noResultsListing: 'Sorry, no results. Try again or visit our collection.',
  newsletterThanks: 'Thank you for subscribing to our newsletter.',
  newsletterFailed: 'Something went wrong, please try again later',
  noResults: 'Sorry, no results.',
  loadingNextChapter: 'Loading next chapter',
  discountNotValid: 'This discount code is not valid',
  discountAlreadyUsed: 'This discount code was already used',
  discountNotForThisBag: 'This discount code is for a book that isn’t in your bag',
  discountNothingLeft: 'This discount code doesn’t apply to anything in your bag',
  discountFailed: 'Error applying discount',
  discountNoCart: 'Unable to apply discount: Cart not available',
  invalidEmail: 'Invalid email',
  alreadyHaveBook: 'Already have this book',
  totalHasChanged: 'The total has changed',
} as const

/** Why a discount code is refused, by the reason that programs compare. */
export const DISCOUNT_REFUSALS = {
  discount_not_valid: MESSAGES.discountNotValid,
  discount_already_used: MESSAGES.discountAlreadyUsed,
  discount_not_for_this_bag: MESSAGES.discountNotForThisBag,
  discount_nothing_left: MESSAGES.discountNothingLeft,
} as const
export type DiscountRefusal = keyof typeof DISCOUNT_REFUSALS

/** DISC-09: shown next to the total, because the reduction is smaller than the percentage. */
export const roundedUpWords = (percent: number): string =>
  `${percent}% off, total rounded up to a whole pound`
