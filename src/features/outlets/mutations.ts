import type { CardActivation } from '#contract/cards.ts'
import { call } from '#net/call.ts'

/** ENT-20. */
export const activateCard = (token: string, buyerEmail: string | null): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/activate', { body: { token, buyerEmail } })

/** When this bookshop activated a card that turns out to be activated already. */
export const findActivation = (token: string): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/find-activation', { body: { token } })

export const takeBack = (id: string): Promise<CardActivation> =>
  call('POST /api/audiobook-cards/activations/{id}/take-back', { params: { id } })
