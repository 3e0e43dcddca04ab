/** Screens that the browser renders from a bare shell with this title. Other pages are public and cached. */
export const PERSONAL: Readonly<Record<string, string>> = {
  '/login': 'Log in',
  '/sign-up': 'Join {shop}',
  '/signup': 'Join {shop}',
  '/app-sign-up': 'Join {shop}',
  '/forgot-password': 'Forgotten your password?',
  '/reset-password/:uuid': 'CHOOSE A NEW PASSWORD',
  '/change-password': 'Change password',
  '/confirm/:token': 'Confirming your email',
  '/newsletter/unsubscribe/:token': 'Leave the newsletter',
  '/series/unsubscribe/:token': 'Stop waiting for the next one',
  '/activation': 'Activate card',
  '/library': 'Library',
  '/library/notes': 'Bookmarks and notes',
  '/downloads': 'Downloads',
  '/you': 'You',
  '/settings': 'Settings',
  '/subscription-details': 'Your membership',
  '/orders': 'Orders',
  '/gifts': 'Gifts',
  '/orders/:id': 'Receipt',
  '/player/:slug': 'Player',
  '/sample/:slug': 'Player',
  '/read/:slug': 'Read',
  '/shopping-bag': 'Shopping bag',
  '/payment': 'Checkout',
  '/free-trial': 'Free trial',
  '/subscription-successful': 'Checking your payment',
  '/subscription-successful-trial': 'Checking your payment',
  '/subscription-successful-gift': 'Checking your payment',
  '/xmas-successful-gift': 'Checking your payment',
  '/payment-successful': 'Checking your payment',
  '/payment-problem': 'Payment',
  '/payment-successful-problem': 'Order problem',
  '/get-book': 'Your gift',
  '/get-subscription': 'Your gift',
  '/access-denied': 'This page needs an account',
  '/server-error': 'Internal Server Error',
}

const OF_A_BOOK: Readonly<Record<string, 'audio_book' | 'e_book'>> = {
  '/player/:slug': 'audio_book',
  '/sample/:slug': 'audio_book',
  '/read/:slug': 'e_book',
}

export interface PersonalPage {
  readonly title: string
  readonly book?: { readonly format: 'audio_book' | 'e_book'; readonly slug: string }
}

const SCREENS = Object.entries(PERSONAL).map(([path, title]) => ({
  title,
  format: OF_A_BOOK[path],
  matches: new RegExp(`^${path.replace(/:\w+/, '([^/]+)')}/?$`),
}))

/** Undefined for a public page, and for an address without a screen. */
export function personalPage(path: string, shopName: string): PersonalPage | undefined {
  for (const { title: words, format, matches } of SCREENS) {
    const [whole, slug] = matches.exec(path) ?? []
    const title = words.replace('{shop}', () => shopName)
    if (whole !== undefined)
      return format && slug ? { title, book: { format, slug: decoded(slug) } } : { title }
  }
  return undefined
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug)
  } catch {
    return ''
  }
}
