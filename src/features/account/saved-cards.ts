import { queryOptions } from '@tanstack/react-query'
import type { SavedCard } from '#contract/payment-methods.ts'
import { ownKey } from '#features/query-keys.ts'
import { call } from '#net/call.ts'

export const savedCardsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'saved-cards'),
    queryFn: async ({ signal }): Promise<SavedCard[]> =>
      (await call('GET /api/payment_methods', { signal }))['hydra:member'],
    staleTime: 300_000,
  })

export const removeCard = (id: string) => call('DELETE /api/payment_methods/{id}', { params: { id } })

/** `Visa ending 4242`. */
export const cardName = ({ brand, last4 }: Pick<SavedCard, 'brand' | 'last4'>): string =>
  `${BRANDS[brand] ?? 'Card'} ending ${last4}`

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** `08/28`, as on the card. */
export const expiryOf = ({ expires }: Pick<SavedCard, 'expires'>): string =>
  `${expires.slice(5)}/${expires.slice(2, 4)}`
