import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { ApiServer } from '../http/serve.ts'
import { officeOrigins } from '../auth/staff.ts'
import { groundsOf, tokensOf } from '../settings/owners-colours.ts'
import type { Config } from '../settings/config.ts'
import { CLIENT } from './assets.ts'

const PAGE = 'office/index.html'

/**
 * The one page of the office, the same for everybody: its data come by calls, so it needs no cookie. Stricter than the
 * shop's pages: no inline script or style attribute, no other origin, and no frame around it.
 */
export function registerOfficePage(
  { app, shop }: ApiServer,
  inDevelopment?: (html: string) => Promise<string>,
): void {
  const template = inDevelopment ? undefined : readTemplate()
  if (!inDevelopment && template === undefined) return
  const { config } = shop
  const send = async (reply: FastifyReply) => {
    const html = inDevelopment
      ? await inDevelopment(readFileSync(join(import.meta.dirname, '../..', PAGE), 'utf8'))
      : template!
    const { head, style } = headOf(config)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('cross-origin-opener-policy', 'same-origin')
      .header('referrer-policy', 'same-origin')
      .header('x-robots-tag', 'noindex')
      .header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
      .header('content-security-policy', inDevelopment ? DEVELOPMENT_POLICY : policyOf(style))
      .send(html.replace('<!--shop-->', () => head))
  }
  app.get('/office', (_request, reply) => send(reply))
  app.get('/office/*', (_request, reply) => send(reply))
}

function readTemplate(): string | undefined {
  const file = join(CLIENT, PAGE)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** What the office must know before its first call. */
function headOf(config: Pick<Config, 'details' | 'publicUrl' | 'shopZone' | 'demo'>) {
  const { details, shopZone: zone, demo } = config
  const { light, dark } = groundsOf(details.file.colours)
  const style = details.file.colours && tokensOf(details.file.colours)
  const origins = officeOrigins(config)
  const facts = { name: details.name, zone, origin: origins.at(-1), demo }
  const head =
    `<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)" />` +
    `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)" />` +
    `<link rel="icon" href="/favicon.svg" type="image/svg+xml" />` +
    (style ? `<style>${style}</style>` : '') +
    `<script type="application/json" id="office-facts">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>`
  return { head, style }
}

function policyOf(style: string | undefined): string {
  const hash = style && `'sha256-${createHash('sha256').update(style).digest('base64')}'`
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${hash ? ` ${hash}` : ''}`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    // Previews of the shop's own pages.
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Vite injects styles and a script, and listens for changes. */
const DEVELOPMENT_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws:; img-src 'self' data: blob:; frame-ancestors 'none'"
