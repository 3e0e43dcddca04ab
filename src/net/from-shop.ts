import { SHOP_HEADER } from '#contract/limits.ts'

/** True if the shop itself answered: a captive portal or a host's error page may speak in its place (trap 22). */
export const isFromShop = ({ headers }: Response): boolean => headers.has(SHOP_HEADER)
