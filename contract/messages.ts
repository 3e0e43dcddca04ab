/** The specification's exact texts, once. What the design brief gives stands with its part. */

export const MESSAGES = {
  emailMustBeValid: 'Email must be valid',
  emailRequired: 'Email is required',
  passwordRequired: 'Password is required',
  invalidCredentials: 'Invalid credentials',
  somethingWentWrong: 'Something went wrong, please try again',
  internalServerError: 'Internal Server Error',
  notAvailable: 'Not available',
  notAvailableInRegion: 'Not available in your region',
  noResultsListing: 'Sorry, no results. Try again or visit our collection.',
  newsletterThanks: 'Thank you for subscribing to our newsletter.',
  newsletterFailed: 'Something went wrong, please try again later',
  noResults: 'Sorry, no results.',
  loadingNextChapter: 'Loading next chapter',
  offline: 'You’re offline. Your downloads still play.',
  backOnline: 'Back online',
} as const
