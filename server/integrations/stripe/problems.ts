/** The provider did not answer, or answered that it is unavailable. Whether the request was carried out is unknown. */
export class PaymentsUnavailable extends Error {}
/** The shop has no provider keys yet: repeating the call changes nothing. */
export class NoProvider extends PaymentsUnavailable {}
/** Another request with the same idempotency key is running: repeating the call returns its result. */
export class ConcurrentRequest extends PaymentsUnavailable {}
/** The request contradicts the provider's state: other parameters with the same key, or a state that forbids it. */
export class PaymentConflict extends Error {}
/** The provider does not know the id: it was deleted there, or belongs to another account or mode. */
export class NotAtProvider extends Error {}
export class BadSignature extends Error {}
export class BadEvent extends Error {}

export const ifKnown = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof NotAtProvider) return undefined
    throw error
  })
