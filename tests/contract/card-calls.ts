import { randomUUID } from 'node:crypto'
import { everybody, get, outletOnly, type SampleCall } from './sample-call.ts'

const UNKNOWN = 'REDEEM-2345-6789'
const ofOutlet = (call: SampleCall): SampleCall => ({ ...call, by: 'outlet' })
const post = (
  statuses: SampleCall['statuses'],
  url: string,
  payload?: Record<string, unknown>,
): SampleCall => ({ statuses, request: async () => ({ url, ...(payload ? { payload } : {}) }) })
const unknownToListeners = { ...everybody(404), visitor: 401 }
const unknownToOutlets = { ...outletOnly, outlet: 404 }

/** The calls of cards and of the bookshops that sell them. */
export const CARD_CALLS: Readonly<Record<string, SampleCall>> = {
  'GET /api/redemption_codes/{code}': get(everybody(404), () => `/api/redemption_codes/${UNKNOWN}`),
  'GET /api/audiobook-cards/{code}/card-apply-code': get(
    everybody(404),
    () => `/api/audiobook-cards/${UNKNOWN}/card-apply-code`,
  ),
  'POST /api/redemption_codes/add_to_library_with_code/{code}': post(
    unknownToListeners,
    `/api/redemption_codes/add_to_library_with_code/${UNKNOWN}`,
    { audioBook: { spiSIN: '9001000000017' } },
  ),
  'POST /api/audiobook-cards/redeem': post(unknownToListeners, '/api/audiobook-cards/redeem', {
    token: UNKNOWN,
  }),
  'POST /api/audiobook-cards/activate': ofOutlet(
    post(unknownToOutlets, '/api/audiobook-cards/activate', { token: UNKNOWN }),
  ),
  'POST /api/audiobook-cards/find-activation': ofOutlet(
    post(unknownToOutlets, '/api/audiobook-cards/find-activation', { token: UNKNOWN }),
  ),
  'GET /api/audiobook-cards/activations': ofOutlet(get(outletOnly, () => '/api/audiobook-cards/activations')),
  'POST /api/audiobook-cards/activations/{id}/take-back': ofOutlet(
    post(unknownToOutlets, `/api/audiobook-cards/activations/${randomUUID()}/take-back`),
  ),
  'GET /api/outlet/account': ofOutlet(get(unknownToOutlets, () => '/api/outlet/account')),
  'GET /api/outlet/statements': ofOutlet(get(outletOnly, () => '/api/outlet/statements')),
  'GET /api/outlet/statements/{id}': ofOutlet(
    get(unknownToOutlets, () => `/api/outlet/statements/${randomUUID()}`),
  ),
  'GET /api/outlet/additions': ofOutlet(get(outletOnly, () => '/api/outlet/additions')),
}
