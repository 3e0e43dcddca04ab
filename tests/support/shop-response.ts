import { SHOP_HEADER } from '#contract/limits.ts'

/** As `new Response`, with the mark that the shop puts on each of its answers. */
export function fromShop(body?: BodyInit | null, init?: ResponseInit): Response {
  const response = new Response(body, init)
  response.headers.set(SHOP_HEADER, '1')
  return response
}
