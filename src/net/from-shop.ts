import { SHOP_HEADER } from '#contract/limits.ts'

/** True if the shop itself answered: a captive portal or a host's error page may speak in its place (trap 22). */
export const isFromShop = ({ headers }: Response): boolean => headers.has(SHOP_HEADER)

/**
 * True also if the shop sent us on to where its media lie, and that has answered: a page's policy lets it go nowhere else
 * (server/http/content-security-policy.ts), so that no captive portal is taken for it (trap 22).
 */
export const isFromShopOrStore = (response: Response): boolean =>
  isFromShop(response) || (response.redirected && new URL(response.url).origin !== location.origin)
