/** What the answer of a user's own query holds. */
type OwnData =
  | 'activations'
  | 'all-given'
  | 'audio_books'
  | 'bag'
  | 'choice'
  | 'chosen-by-finishers'
  | 'deletion'
  | 'devices'
  | 'e_books'
  | 'editorial'
  | 'gifts'
  | 'given'
  | 'held'
  | 'history'
  | 'library'
  | 'membership'
  | 'membership-gifts'
  | 'note-book'
  | 'order'
  | 'orders'
  | 'outlet'
  | 'refunds'
  | 'passkeys'
  | 'saved-cards'
  | 'series'
  | 'stored-titles'
  | 'suggestions'
  | 'titles'
  | 'who-is-here'

/** Prefix of every key whose answer belongs to a user: logging out removes these queries. */
export const EVERYONES_OWN = ['own'] as const

/** Key of a query whose answer belongs to this user; without `path`, the prefix of all of the user's queries. */
export const ownKey = <Owner extends string | undefined, Part extends string | number | undefined = never>(
  ownerUuid: Owner,
  ...path: readonly [] | readonly [OwnData, ...Part[]]
): (string | Owner | Part)[] => ['own', ownerUuid, ...path]
