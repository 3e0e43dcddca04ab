import type { FastifyInstance } from 'fastify'
import { SHOP_HEADER } from '#contract/limits.ts'
import { documentationLink } from './api-description/describe-linked-data.ts'
import type { Shop } from '../shop.ts'

const API = /^\/api(?:[/?]|$)/
/** Scripts, styles, fonts, covers and sound: subresources, about two dozen on a first visit. */
const PARTS_OF_PAGES = /^\/(?:assets|media)\//

/** Browsers read these on documents only, so subresources go without them: 200 bytes each. */
const FOR_DOCUMENTS = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
}

/** Headers of every response; a page adds its own policy (`content-security-policy.ts`). */
export function sendSecurityHeaders(app: FastifyInstance, shop: Shop): void {
  const headers: Record<string, string> = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...(shop.config.publicUrl.startsWith('https://')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  }
  const link = documentationLink(shop.config.publicUrl)
  app.addHook('onRequest', (request, reply, done) => {
    // An installed app compares it to notice that its cached shell is outdated (sw/shell.ts).
    reply.headers(headers).header(SHOP_HEADER, shop.config.details.version)
    if (!PARTS_OF_PAGES.test(request.url)) reply.headers(FOR_DOCUMENTS)
    if (API.test(request.url)) reply.header('link', link)
    done()
  })
}
