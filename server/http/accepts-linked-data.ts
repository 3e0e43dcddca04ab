import type { IncomingMessage } from 'node:http'

/** Both media types have the same response (docs/product.md, Calls). Browsers and the app name neither. */
export function acceptsLinkedData({ headers: { accept } }: Pick<IncomingMessage, 'headers'>): boolean {
  if (!accept || !/ld\+json/i.test(accept)) return false
  const asked = accept.split(',').map(rangeOf)
  const linked = asked.find(({ type }) => type === 'application/ld+json')
  const plain = asked.find(({ type }) => type === 'application/json')
  return linked !== undefined && linked.quality > 0 && linked.quality >= (plain?.quality ?? 0)
}

function rangeOf(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((each) => each.startsWith('q='))
  return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
}

export const LINKED_DATA = 'application/ld+json; charset=utf-8'
