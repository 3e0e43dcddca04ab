/** The shop's constants (docs/checklist/CONST.md). The names contain the units. */

/**
 * A header of every response of the shop; its value is the version of the owner's details. A response without it is
 * foreign, from a captive portal or a host's error page.
 */
export const SHOP_HEADER = 'x-murmur-shop'
/** The app shows the network's response to this path unchanged, so that a captive portal can show its login page. */
export const SIGN_IN_PATH = '/?network'
/** The `type` of a problem: the office must ask for the passkey, and send the call again. */
export const CONFIRM_AGAIN = '/errors/confirm-again'
/** For so long after a log-in, or after giving the password again, giving and adding a card ask for nothing. */
export const PROOF_MINUTES = 15
export const CURRENCY = 'GBP'

const EMAIL_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** The shape of an email address: something, an at sign, and a domain with a dot (PAY-13, GIFT-12). */
export const isEmailAddress = (text: string): boolean => EMAIL_ADDRESS.test(text.trim())

/** Default length of the free trial. Defined here, because the home page's first script needs it. */
export const TRIAL_DAYS = 30

export const PAGE_SIZE = {
  collection: 12,
  library: 10,
  orders: 5,
  publishers: 50,
  lookups: 200,
  audioBookTimes: 1000,
  /** The maximum per account, also of highlights, so that one page contains all of them. */
  bookmarks: 2000,
} as const

/**
 * Limits of the catalogue index on devices. Raise `version` for incompatible changes: older workers then ignore the
 * index.
 */
export const CATALOGUE_INDEX = {
  version: 2,
  titles: 2_000,
  gzipBytes: 400_000,
  articles: 200,
  texts: 48,
} as const

export const PASSWORD_LENGTH = { min: 8, max: 60 } as const
export const DEVICE_NAME_LENGTH = 60
/** For the first and the last name each. */
export const NAME_LENGTH = 100

/** Breakpoint in px: the mobile player below, the player window from here on. */
export const DESKTOP_WIDTH = 768
export const PLAYER_WINDOW = { width: 376, height: 813 } as const
export const JUMP_SECONDS = 15
export const RESUME_REWIND_SECONDS = 5
export const SAVE_EVERY_SECONDS = 5
export const FIRST_SAVE_AT_SECONDS = 1
export const FETCH_RETRY_MS = 5_000
/** If two places differ by more than this, the listener can choose between them. */
export const TWO_PLACES_SECONDS = 120
/** How far beyond a chapter's end a position may be before it is refused (PLAY-26). */
export const CHAPTER_SLACK_SECONDS = 5

export const LIBRARY_LOAD_MORE_PX = 150
export const NOT_FOUND_DELAY_MS = 300

/** The keys of the home page's sections in `home.json`. */
export const HOME_SECTIONS = [
  'curatedIntroPicks',
  'currentHighlights',
  'localShop',
  'howItWorks',
  'astonishingMemoirs',
  'featuredAudioBook',
  'editions',
  'writersDilemma',
  'murmurations',
  'playerApp',
  'guestPicks',
  'newTitles',
  'inStep',
  'mostHeard',
  'allTitles',
] as const

export const FEED_PATH = '/.well-known/mercure'
export const feedTopic = (userUuid: string): string => `user/${userUuid}`
/** FEED-03: without any data for this long, the connection is dead. */
export const FEED_HEARTBEAT_TIMEOUT_MS = 3_600_000
/** FEED-05: delay before an `epub` message is handled. */
export const EPUB_DELAY_MS = 5_000

/** Maximum length of a bookmark's note and of a highlight's passage; longer ones are refused. */
export const BOOKMARK_NOTE_LENGTH = 2000

export const SHELF_NAME_LENGTH = 60
/** The maximum per account, so that one page contains all of them. */
export const LIST_SIZE = { queue: 500, shelves: 100, shelfTitles: 5000 } as const

/** A longer gift message is refused with 422. It is plain text, never markup. */
export const GIFT_MESSAGE_LENGTH = 1000
export const THANKS_LENGTH = 200
/** For a statement of withdrawal. */
export const WITHDRAWAL_LENGTH = { name: 200, contract: 200, scope: 1000 } as const
/** A bookshop's request for starter packs: the most packs, the cards in each, and the maximum lengths of its texts. */
export const STARTER_PACK = { most: 4, cards: 24, name: 80, shop: 100, town: 80 } as const
/** More titles than this in one bag are refused with 422. */
export const BAG_SIZE = 100
/** DISC-01: normalises a typed code for the lookup. */
export const couponCode = (typed: string): string => typed.trim().toUpperCase()

/** Of a picture for a text, in bytes. */
export const LARGEST_PICTURE = 8_000_000
