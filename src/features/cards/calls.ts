import type { RedemptionCode } from '#contract/cards.ts'
import { call } from '#net/call.ts'

/** Asks what a code holds; one title's own pages ask about codes of that title alone. */
export const seeCode = (code: string, spiSIN: string | null): Promise<RedemptionCode> =>
  spiSIN === null
    ? call('GET /api/audiobook-cards/{code}/card-apply-code', { params: { code } })
    : call('GET /api/redemption_codes/{code}', { params: { code }, query: { spiSIN } })

export const redeemCode = (code: string, spiSIN: string | null): Promise<RedemptionCode> =>
  spiSIN === null
    ? call('POST /api/audiobook-cards/redeem', { body: { token: code } })
    : call('POST /api/redemption_codes/add_to_library_with_code/{code}', {
        params: { code },
        body: { audioBook: { spiSIN } },
      })
