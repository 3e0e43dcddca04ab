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
  /** ERR-06: the client looks for 'already used'. */
  discountAlreadyUsed: 'This discount code was already used',
  discountNotForThisBag: 'This discount code is for a book that isn’t in your bag',
  discountNothingLeft: 'This discount code doesn’t apply to anything in your bag',
  discountFailed: 'Error applying discount',
  discountNoCart: 'Unable to apply discount: Cart not available',
  invalidEmail: 'Invalid email',
  alreadyHaveBook: 'Already have this book',
  totalHasChanged: 'The total has changed',
} as const

/** DISC-09: shown next to the total, because the reduction is smaller than the percentage. */
export const roundedUpWords = (percent: number): string =>
  `${percent}% off, total rounded up to a whole pound`
