import type { Depth } from './accessible.ts'

/** One screen for one kind of user, to be checked for accessibility (`accessible.ts`). */
export interface Screen {
  /** Its file in `src/routes`, without the extension. */
  readonly route: string
  /** An example address. */
  readonly at: string
  /** The account that opens it; a visitor by default. */
  readonly of?: string
  /** Text that shows that the screen is complete. */
  readonly says?: string | RegExp
  /** Text of controls that would have no effect there and must be absent. */
  readonly lacks?: RegExp
  readonly depth?: Depth
  /** It contains the provider's fields, in frames. */
  readonly fields?: true
  /** It does not end in the shop’s footer. */
  readonly app?: true
}

/** Every screen of the shop, grouped so that the tests take about the same time. */
export const SCREENS: Readonly<Record<string, readonly Screen[]>> = {
  'the shelves': [
    { route: 'index', at: '/', depth: 'frame' },
    { route: 'audiobooks.index', at: '/audiobooks' },
    { route: 'ebooks.index', at: '/ebooks?page=2', depth: 'once' },
    { route: 'browse', at: '/browse' },
    { route: 'editions', at: '/editions' },
    { route: 'subscriber-selection', at: '/subscriber-selection' },
    { route: 'publishers.index', at: '/publishers' },
    { route: 'publishers.$slug', at: '/publishers/slate-yard' },
    { route: 'series.$slug', at: '/series/the-orrin-quay-books' },
    { route: 'series.$slug', at: '/series/letters-across-the-water?order=story', of: 'shelf', depth: 'once' },
    { route: 'people.$slug', at: '/people/imogen-tarrant' },
    { route: 'writers-dilemma', at: '/writers-dilemma' },
    { route: 'astonishing-memoirs', at: '/astonishing-memoirs', depth: 'once' },
    { route: 'audiobooks-in-a-card', at: '/audiobooks-in-a-card', depth: 'once' },
  ],
  'books and the search': [
    { route: 'audiobooks.$slug', at: '/audiobooks/the-lamplighters-ledger' },
    { route: 'audiobooks.$slug', at: '/audiobooks/nine-rooms-of-rain' },
    { route: 'audiobooks.$slug', at: '/audiobooks/not-yet-bells', depth: 'once' },
    { route: 'ebooks.$slug', at: '/ebooks/harbour-lights-annual' },
    { route: 'search-books', at: '/search-books?keyword=harbour' },
    { route: 'search-books', at: '/search-books?keyword=zzyzx', says: 'Sorry, no results.', depth: 'once' },
    { route: 'search-articles', at: '/search-articles?keyword=harbour' },
    { route: 'sample.$slug', at: '/sample/salt-road-letters' },
  ],
  'the journal': [
    { route: 'murmurations', at: '/murmurations' },
    { route: 'articles.index', at: '/articles' },
    { route: 'interviews.index', at: '/interviews', depth: 'once' },
    { route: 'discussions.index', at: '/discussions', depth: 'once' },
    { route: 'articles.$slug', at: '/articles/how-a-voice-learns-a-book', depth: 'once' },
    { route: 'articles.$slug', at: '/articles/the-margins-of-a-page' },
    { route: 'interviews.$slug', at: '/interviews/edda-marlow-lights-the-lamps', depth: 'once' },
    { route: 'discussions.$slug', at: '/discussions/an-evening-of-first-chapters' },
  ],
  'the pages': [
    { route: 'faq', at: '/faq' },
    { route: 'info.$slug', at: '/info/support' },
    { route: 'newsletter-signup', at: '/newsletter-signup' },
    { route: 'newsletter.unsubscribe.$token', at: '/newsletter/unsubscribe/anything', depth: 'once' },
    { route: 'series.unsubscribe.$token', at: '/series/unsubscribe/anything', depth: 'once' },
    { route: 'withdraw', at: '/withdraw' },
    { route: '404', at: '/404' },
    { route: 'access-denied', at: '/access-denied', depth: 'once' },
    { route: 'server-error', at: '/server-error', depth: 'once' },
    { route: 'reseller', at: '/reseller', says: '60% wholesale discount' },
  ],
  'coming in': [
    { route: 'login', at: '/login' },
    { route: 'sign-up', at: '/sign-up' },
    { route: 'app-sign-up', at: '/app-sign-up', depth: 'once' },
    { route: 'forgot-password', at: '/forgot-password', depth: 'once' },
    {
      route: 'reset-password.$uuid',
      at: '/reset-password/4f1c1a52-6a0e-4b51-9d35-0d1f0f6f7a11?token=x',
      depth: 'once',
    },
    { route: 'confirm.$token', at: '/confirm/not-a-link-of-ours', says: /error verifying your account/ },
    { route: 'subscription.{-$token}', at: '/subscription' },
    {
      route: 'subscription.{-$token}',
      at: '/subscription/not-a-link',
      says: /problem confirming/,
      depth: 'once',
    },
  ],
  'giving and paying': [
    { route: 'gift', at: '/gift', says: 'What they will open' },
    { route: 'xmas', at: '/xmas', depth: 'once' },
    { route: 'redemption.{-$spisin}.{-$step}', at: '/redemption' },
    { route: 'redemption.{-$spisin}.{-$step}', at: '/redemption/9001000000017', depth: 'once' },
    { route: 'shopping-bag', at: '/shopping-bag', says: 'Your bag is empty.' },
    { route: 'payment', at: '/payment?plan=4', fields: true },
    { route: 'free-trial', at: '/free-trial?code=PROMOTRIAL', fields: true, depth: 'once' },
    {
      route: 'get-subscription',
      at: '/get-subscription?email=a@post.example&token=x',
      says: /find this gift/,
    },
    {
      route: 'payment-problem',
      at: '/payment-problem?payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2',
      says: /problem with your payment/,
      depth: 'once',
    },
  ],
  'one’s own': [
    { route: 'library', at: '/library', of: 'shelf', says: 'The Salt Ledger', app: true, depth: 'frame' },
    { route: 'downloads', at: '/downloads', of: 'shelf', app: true },
    { route: 'library_.notes', at: '/library/notes', of: 'shelf', app: true },
    { route: 'you', at: '/you', of: 'reader', says: /free audiobook is waiting/, app: true },
    { route: 'you', at: '/you', says: 'Who’s listening?', app: true, depth: 'once' },
    { route: 'settings', at: '/settings', of: 'shelf', says: 'In use now', app: true },
    { route: 'change-password', at: '/change-password', of: 'shelf', says: 'Old password' },
    { route: 'orders.index', at: '/orders', of: 'shelf', says: /^Order / },
    { route: 'audiobooks.$slug', at: '/audiobooks/a-house-of-sundays', of: 'shelf' },
    { route: 'ebooks.$slug', at: '/ebooks/oak-gall', of: 'shelf', depth: 'once' },
    { route: 'player.$slug', at: '/player/tin-whistle-winter', of: 'shelf' },
    { route: 'payment-successful-problem', at: '/payment-successful-problem', of: 'shelf' },
    {
      route: 'get-book',
      at: '/get-book?email=somebody%40post.example&token=x',
      of: 'shelf',
      says: 'Use another account',
      depth: 'once',
    },
    { route: 'read.$slug', at: '/read/ordinary-weather', of: 'nell', says: /^\d+% · / },
    {
      route: 'library',
      at: '/library',
      of: 'empty',
      says: 'Your library is empty. The shelves aren’t.',
      lacks: /^(Manage|Downloaded)$/,
    },
    { route: 'orders.index', at: '/orders', of: 'empty', says: 'No orders yet.', depth: 'once' },
  ],
  'memberships, gifts and the bookseller': [
    { route: 'subscription-details', at: '/subscription-details', of: 'reader', says: 'Next payment' },
    { route: 'subscriber-selection', at: '/subscriber-selection', of: 'reader', says: /^Choose (one|two) / },
    { route: 'subscription-details', at: '/subscription-details', of: 'lapsed', says: /Payment didn’t/ },
    {
      route: 'subscription-details',
      at: '/subscription-details',
      of: 'gifted',
      says: 'Your membership',
      depth: 'once',
    },
    { route: 'gifts', at: '/gifts', of: 'giver', says: /, for / },
    {
      route: 'subscription-details',
      at: '/subscription-details',
      of: 'giftee+20',
      says: 'A gift is waiting for you',
    },
    { route: 'library', at: '/library', of: 'giftee+20', says: 'Gifts are waiting for you' },
    {
      route: 'subscription-successful',
      at: '/subscription-successful',
      of: 'reader',
      says: /^You’re a member/,
      depth: 'once',
    },
    {
      route: 'subscription-successful-trial',
      at: '/subscription-successful-trial',
      of: 'trial',
      says: /days have started/,
      depth: 'once',
    },
    {
      route: 'subscription-successful-gift',
      at: '/subscription-successful-gift',
      of: 'giver',
      says: /is wrapped for/,
      depth: 'once',
    },
    {
      route: 'xmas-successful-gift',
      at: '/xmas-successful-gift?recipient=Ada&type=2',
      of: 'giver',
      says: /is wrapped for Ada/,
      depth: 'once',
    },
    {
      route: 'audiobooks.$slug',
      at: '/audiobooks/the-customs-house',
      of: 'abroad',
      says: 'Not available in your region',
      depth: 'once',
    },
    {
      route: 'shopping-bag',
      at: '/shopping-bag',
      of: 'abroad',
      says: 'Not available in your region',
      depth: 'once',
    },
    { route: 'activation', at: '/activation', of: 'corner', says: /^Stuck at the till/ },
  ],
}

/** Routes that only redirect, and their targets. */
export const LEADING_ON: Readonly<Record<string, string>> = {
  membership: 'subscription.{-$token}',
  signup: 'sign-up',
}

/** Screens that only a journey reaches, and the journey that checks them. */
export const IN_A_STORY: Readonly<Record<string, string>> = {
  'orders.$id': 'accessibility-of-dialogs',
  'payment-successful': 'checkout',
}
