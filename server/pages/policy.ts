import { createHash } from 'node:crypto'

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * The content security policy of a page. Hashes, no nonce, so that a rendered page can be kept and sent to
 * everybody; style attributes are allowed for the colours of a title (server-rendering.md, 7).
 */
export function pagePolicy({
  scripts,
  styles,
  development,
}: {
  scripts: readonly string[]
  styles: readonly string[]
  development: boolean
}): string {
  const styleSource = development ? "'self' 'unsafe-inline'" : ["'self'", ...styles.map(hash)].join(' ')
  const scriptSource = development ? "'self' 'unsafe-inline'" : ["'self'", ...scripts.map(hash)].join(' ')
  return [
    "default-src 'self'",
    `script-src ${scriptSource}`,
    `style-src ${styleSource}`,
    "style-src-attr 'unsafe-inline'",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
