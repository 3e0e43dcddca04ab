import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SHOP_HEADER } from '#contract/limits.ts'
import { documentationLink } from './api-description.ts'
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

/** Headers of every response; a page adds its own policy (`pagePolicy`). */
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

/** Hashes of foliate's inline stylesheets; a test compares the first one with the installed library. */
const READER_STYLES = [
  "'sha256-Sz1WKGLvM24279JLTqw+ZwzznUautFgg7stEu8sEF84='",
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
]

export interface LetIn {
  readonly scripts: string
  readonly frames: string
  readonly calls: string
}

/** src/features/editorial/model.ts builds their addresses. */
const FILMS = 'https://www.youtube-nocookie.com https://player.vimeo.com'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Hashes, not a nonce: a rendered page is cached for everyone. Titles need style attributes for their colours. */
export function pagePolicy({
  scripts,
  styles,
  development,
  media,
  letIn,
}: {
  scripts: readonly string[]
  styles: readonly string[]
  development: boolean
  media?: string | undefined
  letIn?: LetIn
}): string {
  const styleSource = development
    ? "'self' blob: 'unsafe-inline'"
    : ["'self' blob:", ...READER_STYLES, ...styles.map(hash)].join(' ')
  const scriptSource = development ? "'self' 'unsafe-inline'" : ["'self'", ...scripts.map(hash)].join(' ')
  return [
    "default-src 'self'",
    `script-src ${scriptSource}${also(letIn?.scripts)}`,
    `style-src ${styleSource}`,
    "style-src-attr 'unsafe-inline'",
    `connect-src 'self'${development ? ' ws:' : ''}${also(media)}${also(letIn?.calls)}`,
    "img-src 'self' data: blob:",
    `media-src 'self' blob:${also(media)}`,
    "font-src 'self' blob:",
    // Each section of an e-book is its own document and inherits this policy, so its scripts do not run.
    `frame-src 'self' blob: ${FILMS}${also(letIn?.frames)}`,
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const also = (sources: string | undefined) => (sources ? ` ${sources}` : '')
