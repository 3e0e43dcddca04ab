import type { FastifyInstance } from 'fastify'
import { SHOP_HEADER } from '#contract/limits.ts'
import { documentationLink } from './api-description/describe-linked-data.ts'
import type { Shop } from '../shop.ts'

const API = /^\/api(?:[/?]|$)/
/** Scripts, styles, fonts, covers and sound: what a page fetches for itself, two dozen of them on a first visit. */
const PARTS_OF_PAGES = /^\/(?:assets|media)\//

/** What a browser reads on a document alone: parts of pages are spared these 200 bytes each. */
const FOR_DOCUMENTS = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
}

/** Headers of every answer; a page adds its own content security policy (`content-security-policy.ts`). */
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
    // By it an installed app sees that its shell is no longer the owner's (sw/shell.ts).
    reply.headers(headers).header(SHOP_HEADER, shop.config.details.version)
    if (!PARTS_OF_PAGES.test(request.url)) reply.headers(FOR_DOCUMENTS)
    if (API.test(request.url)) reply.header('link', link)
    done()
  })
}
