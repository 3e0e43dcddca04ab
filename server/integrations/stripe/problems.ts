/** The provider did not answer, or answered that it cannot now. Nothing is known about what was asked. */
export class PaymentsUnavailable extends Error {}
/** The shop has no keys of a provider yet: asking again changes nothing. */
export class NoProvider extends PaymentsUnavailable {}
/** Somebody else asks for the very same at this moment, under the same key: asked again, it is answered. */
export class ConcurrentRequest extends PaymentsUnavailable {}
/** The request contradicts what the provider knows: another request under this key, or a state that forbids it. */
export class PaymentConflict extends Error {}
/** The provider knows nothing by that id: it was deleted there, or belongs to another account or mode. */
export class NotAtProvider extends Error {}
export class BadSignature extends Error {}
/** A webhook with a valid signature but an unreadable event. */
export class BadEvent extends Error {}
