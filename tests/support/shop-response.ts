import { SHOP_HEADER } from '#contract/limits.ts'

/** Like `new Response`, with the header that marks the shop's own responses. */
export function fromShop(body?: BodyInit | null, init?: ResponseInit): Response {
  const response = new Response(body, init)
  response.headers.set(SHOP_HEADER, '1')
  return response
}
