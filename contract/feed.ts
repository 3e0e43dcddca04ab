import Type, { type Static } from 'typebox'
import { NullableString, Uuid } from './atoms.ts'
import { AudioBookTime, ChosenSpeed, SoundClaim } from './listening.ts'

/**
 * The live stream of an account: `GET /.well-known/mercure?topic=user/{uuid}` with `Authorization: Bearer`, the
 * user's `jwtMercuryToken` or the login token. Server-sent events; each has an `id`, which `Last-Event-ID` (header,
 * or `lastEventID` in the address; `earliest` for all that is kept) goes on from. A comment every 20 s keeps it open; it
 * closes when the token ends. 401 without a token, 403 for somebody else's topic, 429 for too many at once.
 */
export const FeedMessage = Type.Union([
  /** An order of this account was paid (FEED-04). */
  Type.Object({ type: Type.Literal('new_order'), uuid: Uuid }),
  /** The buyer's file of an e-book is ready. */
  Type.Object({ type: Type.Literal('epub'), eBook: Type.String() }),
  /** A title came into the library or left it by something that happened elsewhere: a gift, a refund. */
  Type.Object({ type: Type.Literal('library') }),
  /** A membership of this account began, changed or ended. */
  Type.Object({ type: Type.Literal('membership') }),
  /**
   * Another place stands in a book than before. Like those below it is told in passing: without an `id`, and not
   * again to whoever was away, who asks for what stands.
   */
  Type.Object({ type: Type.Literal('place'), place: AudioBookTime }),
  /** Bookmarks of a book were made, changed or removed, by this device; what they are is asked for. */
  Type.Object({ type: Type.Literal('bookmarks'), audioBook: Type.String(), deviceId: NullableString }),
  /** The queue or a shelf was changed, by this device; what they are is asked for. */
  Type.Object({ type: Type.Literal('lists'), deviceId: NullableString }),
  /** Another speed was chosen for a book. */
  Type.Object({ type: Type.Literal('speed'), speed: ChosenSpeed }),
  /** A device began to play; any other of the account falls silent. */
  Type.Object({ type: Type.Literal('sound'), claim: SoundClaim }),
  /** It stopped. */
  Type.Object({ type: Type.Literal('silence'), claimId: Uuid }),
])
export type FeedMessage = Static<typeof FeedMessage>
