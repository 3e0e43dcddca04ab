import Type, { type Static } from 'typebox'
import { NullableString, Uuid } from './atoms.ts'
import { AudioBookTime, ChosenSpeed, SoundClaim } from './listening.ts'

/**
 * The live stream of an account: `GET /.well-known/mercure?topic=user/{uuid}` with `Authorization: Bearer` and the
 * user's `jwtMercuryToken` or login token. Server-sent events; each has an `id`, after which `Last-Event-ID` resumes (a
 * header, or `lastEventID` in the URL; `earliest` for all stored events). A comment every 20 s keeps the connection
 * open; it closes when the token expires. 401 without a token, 403 for another account's topic, 429 for too many
 * connections.
 */
export const FeedMessage = Type.Union([
  /** An order of this account was paid (FEED-04). */
  Type.Object({ type: Type.Literal('new_order'), uuid: Uuid }),
  /** The buyer's copy of an e-book is ready. */
  Type.Object({ type: Type.Literal('epub'), eBook: Type.String() }),
  /** A title was added to or removed from the library by an event elsewhere: a gift, a refund. */
  Type.Object({ type: Type.Literal('library') }),
  Type.Object({ type: Type.Literal('membership') }),
  /**
   * A book has a new current place. This message and the following ones are transient: they have no `id` and are not
   * replayed. A client that reconnects fetches the current state.
   */
  Type.Object({ type: Type.Literal('place'), place: AudioBookTime }),
  /** A device created, changed or removed bookmarks of a book. The client fetches them. */
  Type.Object({ type: Type.Literal('bookmarks'), audioBook: Type.String(), deviceId: NullableString }),
  /** A device changed the queue or a shelf. The client fetches them. */
  Type.Object({ type: Type.Literal('lists'), deviceId: NullableString }),
  Type.Object({ type: Type.Literal('speed'), speed: ChosenSpeed }),
  /** A device began to play; the account's other devices pause. */
  Type.Object({ type: Type.Literal('sound'), claim: SoundClaim }),
  Type.Object({ type: Type.Literal('silence'), claimId: Uuid }),
])
export type FeedMessage = Static<typeof FeedMessage>
