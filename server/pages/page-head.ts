import type { OwnersDetails } from '../settings/owners-details.ts'
import { groundsOf, tokensOf } from '../settings/owners-colours.ts'

export interface PageHead {
  readonly html: string
  /** An inline stylesheet, whose hash goes into the page's policy; undefined for the default colours. */
  readonly style: string | undefined
}

export function pageHead(details: OwnersDetails): PageHead {
  const { name, shortName = name, colours } = details.file
  const { light, dark } = groundsOf(colours)
  const style = colours && tokensOf(colours)
  const version = details.picture('icon-512.png') ? `?${details.version}` : ''
  const icon = version
    ? `<link rel="icon" href="/icons/icon-192.png${version}" type="image/png" />`
    : '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />'
  return {
    html:
      `<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)" />` +
      `<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)" />` +
      icon +
      `<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png${version}" />` +
      '<link rel="manifest" href="/manifest.webmanifest" />' +
      `<meta name="apple-mobile-web-app-title" content="${escaped(shortName)}" />` +
      (style ? `<style>${style}</style>` : '') +
      `<script type="application/json" id="shop">${inert(details.ofPages)}</script>`,
    style,
  }
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** JSON that an HTML parser cannot mistake for markup. */
const inert = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
