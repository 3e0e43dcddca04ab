import { createRequire } from 'node:module'

/** Shapes and paints only: no scripts, no external resources, and no text, which would need a font. */
const TAGS = [
  'svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline',
  'polygon', 'clipPath', 'mask', 'linearGradient', 'radialGradient', 'stop',
] // prettier-ignore
const ATTRIBUTES = [
  'id', 'class', 'd', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'width', 'height',
  'points', 'transform', 'viewBox', 'xmlns', 'preserveAspectRatio', 'fill', 'fill-rule', 'fill-opacity', 'clip-rule',
  'clip-path', 'mask', 'opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit',
  'stroke-dasharray', 'stroke-opacity', 'offset', 'stop-color', 'stop-opacity', 'gradientUnits', 'gradientTransform',
  'clipPathUnits', 'maskUnits', 'href',
] // prettier-ignore

export const isSvg = (bytes: Buffer): boolean => /<svg[\s>]/.test(bytes.toString('utf8', 0, 4096))

/** Undefined if nothing remains. */
export function cleanSvg(text: string): Buffer | undefined {
  // Loaded only when there is a logo: most starts of the server do not need it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package's own types
  const clean = createRequire(import.meta.url)('sanitize-html') as typeof import('sanitize-html')
  const inner = clean(text.replaceAll(/<style[\s\S]*?<\/style>/gi, ''), {
    allowedTags: TAGS,
    allowedAttributes: { '*': ATTRIBUTES },
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    nonTextTags: ['script', 'style', 'text', 'metadata', 'foreignObject'],
    transformTags: {
      '*': (tagName, attributes) => ({
        tagName,
        attribs: Object.fromEntries(
          // References may only point into the picture itself.
          Object.entries(attributes).filter(
            ([name, value]) => (name !== 'href' || value.startsWith('#')) && !/url\((?!['"]?#)/i.test(value),
          ),
        ),
      }),
    },
  }).trim()
  if (!/^<svg[\s>]/.test(inner)) return undefined
  return Buffer.from(
    inner.includes('xmlns=') ? inner : inner.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'),
  )
}
