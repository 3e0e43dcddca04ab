import { SHOP_HEADER } from '#contract/limits.ts'

/** True if our own server answered: a captive portal or a host's error page may answer instead (trap 22). */
export const isFromShop = ({ headers }: Response): boolean => headers.has(SHOP_HEADER)

/**
 * True also if our server redirected to its media storage and that answered: a page's policy allows no other
 * target (server/http/content-security-policy.ts), so it can't be a captive portal (trap 22).
 */
export const isFromShopOrStore = (response: Response): boolean =>
  isFromShop(response) || (response.redirected && new URL(response.url).origin !== location.origin)
