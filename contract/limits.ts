/** The shop's numbers, once (docs/checklist/CONST.md). Units stand in the names. */

/**
 * On every answer of the shop, with the version of what its owner says of it; what comes without it is a stranger's, a
 * captive portal's or a host's error page.
 */
export const SHOP_HEADER = 'x-murmur-shop'
/** Whatever the network answers here is shown as it is: the page on which a captive portal lets somebody in. */
export const SIGN_IN_PATH = '/?network'
export const CURRENCY = 'GBP'

/** Of the free trial, where an owner says nothing else: here, since the home page says it in its first script. */
export const TRIAL_DAYS = 30

export const PAGE_SIZE = {
  collection: 12,
  library: 10,
  orders: 5,
  publishers: 50,
  lookups: 200,
  audioBookTimes: 1000,
  /** As many as an account may have, and as many highlights, so that one page holds them all. */
  bookmarks: 2000,
} as const

/**
 * Limits of the catalogue index on devices. Raise `version` for incompatible changes: older workers then ignore the
 * index.
 */
export const CATALOGUE_INDEX = {
  version: 1,
  titles: 2_000,
  gzipBytes: 400_000,
  articles: 200,
  texts: 48,
} as const

export const PASSWORD_LENGTH = { min: 8, max: 60 } as const
export const DEVICE_NAME_LENGTH = 60
/** Of each, first and last. */
export const NAME_LENGTH = 100

/** The layout switches here: mobile player below, player window from here on. */
export const DESKTOP_WIDTH = 768
export const PLAYER_WINDOW = { width: 376, height: 813 } as const
export const JUMP_SECONDS = 15
export const RESUME_REWIND_SECONDS = 5
export const SAVE_EVERY_SECONDS = 5
export const FIRST_SAVE_AT_SECONDS = 1
export const FETCH_RETRY_MS = 5_000
/** Two places further apart than this are both offered to the listener. */
export const TWO_PLACES_SECONDS = 120
/** How far beyond a chapter's end a position may lie before it is refused (PLAY-26). */
export const CHAPTER_SLACK_SECONDS = 5

export const LIBRARY_LOAD_MORE_PX = 150
export const NOT_FOUND_DELAY_MS = 300

/** The sections of the home page, in the owner's words. */
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
  'mostHeard',
  'allTitles',
] as const

/** The live stream of an account (contract/feed.ts). */
export const FEED_PATH = '/.well-known/mercure'
export const feedTopic = (userUuid: string): string => `user/${userUuid}`
/** FEED-03: nothing for so long means that the connection is dead. */
export const FEED_HEARTBEAT_TIMEOUT_MS = 3_600_000
/** FEED-05: an `epub` message is looked after this long. */
export const EPUB_DELAY_MS = 5_000

/** A longer note of a bookmark is refused, as are more words of a highlight. */
export const BOOKMARK_NOTE_LENGTH = 2000

export const SHELF_NAME_LENGTH = 60
/** As many as an account may have, so that one page holds them all. */
export const LIST_SIZE = { queue: 500, shelves: 100, shelfTitles: 5000 } as const

/** A longer gift message is refused with 422; it is text, never markup. */
export const GIFT_MESSAGE_LENGTH = 1000
/** Of a statement of withdrawal. */
export const WITHDRAWAL_LENGTH = { name: 200, contract: 200, scope: 1000 } as const
/** More titles than this in one bag are refused with 422. */
export const BAG_SIZE = 100
/** DISC-01: as a code is looked up, however it was typed. */
export const couponCode = (typed: string): string => typed.trim().toUpperCase()
