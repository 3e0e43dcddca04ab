import type { FastifyInstance } from 'fastify'
import { SHOP_HEADER } from '#contract/limits.ts'
import { documentationLink } from './describe/describe-linked-data.ts'
import type { Shop } from '../shop.ts'

const API = /^\/api(?:[/?]|$)/

/** Headers of every answer; a page adds its own content security policy (`content-security-policy.ts`). */
export function sendSecurityHeaders(app: FastifyInstance, shop: Shop): void {
  const headers: Record<string, string> = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(self)',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(shop.config.publicUrl.startsWith('https://')
      ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
      : {}),
  }
  const link = documentationLink(shop.config.publicUrl)
  app.addHook('onRequest', (request, reply, done) => {
    // By it an installed app sees that its shell is no longer the owner's (sw/shell.ts).
    reply.headers(headers).header(SHOP_HEADER, shop.config.details.version)
    if (API.test(request.url)) reply.header('link', link)
    done()
  })
}
