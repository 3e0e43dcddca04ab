import { createRequire } from 'node:module'
import type { Sharp } from 'sharp'
import type { ShopFile } from '#contract/shop-details.ts'
import { colourOf, contrast, hex, INK, WHITE } from '../../colour.ts'
import { accentOf, groundsOf } from '../../settings/owners-colours.ts'
import type { OwnersPicture } from '../../settings/owners-details.ts'

/** The message follows the picture's name: `is 60 pixels wide`. */
export class PictureRefused extends Error {}

const LARGEST_BYTES = 2_000_000
/** A larger SVG is usually an embedded photograph. */
const LARGEST_LOGO = 60_000
const LOGO = { width: 1200, height: 480 }
const SMALLEST_ICON = 192

/** An SVG without scripts and external resources, or a PNG without metadata. */
export async function logoOf(bytes: Buffer): Promise<OwnersPicture> {
  const { vector, picture } = await openPicture(bytes)
  const { data, info } = await picture
    .resize({ ...LOGO, fit: 'inside', withoutEnlargement: !vector })
    .png()
    .toBuffer({ resolveWithObject: true })
  if (!(await hasShape(data)))
    throw new PictureRefused(
      'has no shape: its ground must be transparent, since only what is drawn is taken, in the ink of the page',
    )
  const ratio = Math.round((info.width / info.height) * 100) / 100
  if (vector && vector.length <= LARGEST_LOGO) return { type: 'image/svg+xml', bytes: vector, ratio }
  return { type: 'image/png', bytes: data, ratio }
}

/** Without a picture, the first letter of the name on the accent colour. */
export async function iconsOf(
  bytes: Buffer | undefined,
  { name, colours }: ShopFile,
): Promise<Record<string, OwnersPicture>> {
  const { default: sharp } = await import('sharp')
  const made = bytes ? await openPicture(bytes) : await openPicture(await letterIcon(name, accentOf(colours)))
  const square = made.picture.resize(512, 512, { fit: 'contain', background: CLEAR })
  const { data: whole } = await square.png().toBuffer({ resolveWithObject: true })
  if (made.width < SMALLEST_ICON && !made.vector)
    throw new PictureRefused(`is ${made.width} pixels wide; ${SMALLEST_ICON} is the least, 512 is best`)
  const ground = await backgroundOf(whole, groundsOf(colours).light)
  const png = async (picture: Sharp): Promise<OwnersPicture> => ({
    type: 'image/png',
    bytes: await picture.png({ compressionLevel: 9, palette: true }).toBuffer(),
    ratio: 1,
  })
  const onGround = (size: number, share: number) => {
    const inside = Math.round(size * share)
    const edge = Math.round((size - inside) / 2)
    return sharp(whole)
      .resize(inside, inside)
      .extend({
        top: edge,
        left: edge,
        bottom: size - inside - edge,
        right: size - inside - edge,
        background: ground,
      })
      .flatten({ background: ground })
  }
  return {
    'icon-192.png': await png(sharp(whole).resize(192, 192)),
    'icon-512.png': await png(sharp(whole)),
    // Launchers crop the icon: the content must stay within the middle 80 % (W3C, Maskable icons).
    'maskable-512.png': await png(onGround(512, 0.8)),
    'apple-touch-icon.png': await png(onGround(180, 1)),
  }
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

async function openPicture(bytes: Buffer) {
  if (bytes.length > LARGEST_BYTES) throw new PictureRefused('is larger than 2 MB')
  const { default: sharp } = await import('sharp')
  const vector = isSvg(bytes) ? cleanSvg(bytes.toString('utf8')) : undefined
  if (isSvg(bytes) && !vector) throw new PictureRefused('cannot be read as SVG')
  try {
    const plain = sharp(vector ?? bytes, { limitInputPixels: 40_000_000 })
    const { width, height, format } = await plain.metadata()
    if (!vector && format !== 'png') throw new PictureRefused('is neither SVG nor PNG')
    const density = Math.min(2400, Math.max(72, (72 * 1200) / Math.max(width, height)))
    return { vector, width, picture: vector ? sharp(vector, { density }) : plain }
  } catch (error) {
    if (error instanceof PictureRefused) throw error
    throw new PictureRefused('cannot be read as a picture')
  }
}

async function hasShape(png: Buffer): Promise<boolean> {
  const { default: sharp } = await import('sharp')
  const { channels } = await sharp(png).ensureAlpha().stats()
  const alpha = channels.at(-1)!
  return alpha.min < 128 && alpha.max > 128
}

/** The colour near the corner, or `paper` if that is transparent. */
async function backgroundOf(png: Buffer, paper: string): Promise<string> {
  const { default: sharp } = await import('sharp')
  const pixel = await sharp(png)
    .ensureAlpha()
    .extract({ left: 4, top: 4, width: 1, height: 1 })
    .raw()
    .toBuffer()
  return pixel[3]! > 250 ? hex([pixel[0]!, pixel[1]!, pixel[2]!]) : paper
}

/** An outline, so that the SVG needs no font. */
async function letterIcon(name: string, accent: string): Promise<Buffer> {
  const { openSync } = await import('fontkit')
  const face = createRequire(import.meta.url).resolve(
    '@fontsource/newsreader/files/newsreader-latin-500-normal.woff',
  )
  const font = openSync(face)
  if (!('layout' in font)) throw new Error('the face of the shop is a collection')
  const letter = Array.from(name).find(
    (each) => /[\p{L}\p{N}]/u.test(each) && font.hasGlyphForCodePoint(each.codePointAt(0)!),
  )
  const glyph = font.layout(letter?.toUpperCase() ?? '·').glyphs[0]!
  const { minX, maxX, minY, maxY } = glyph.path.bbox
  const scale = 300 / Math.max(maxY - minY, maxX - minX, 1)
  const [x, y] = [256 - ((minX + maxX) / 2) * scale, 256 + ((minY + maxY) / 2) * scale]
  const ground = colourOf(accent)!
  const ink = contrast(WHITE, ground) >= contrast(INK, ground) ? WHITE : INK
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512"><path fill="${hex(ground)}" d="M0 0h512v512H0z"/>` +
      `<path fill="${hex(ink)}" transform="translate(${x} ${y}) scale(${scale} ${-scale})" d="${glyph.path.toSVG()}"/></svg>`,
  )
}

/** Shapes and paints only: no scripts, no external resources, and no text, which would need a font. */
const SVG_TAGS = [
  'svg', 'g', 'defs', 'symbol', 'use', 'title', 'desc', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline',
  'polygon', 'clipPath', 'mask', 'linearGradient', 'radialGradient', 'stop',
] // prettier-ignore
const SVG_ATTRIBUTES = [
  'id', 'class', 'd', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'width', 'height',
  'points', 'transform', 'viewBox', 'xmlns', 'preserveAspectRatio', 'fill', 'fill-rule', 'fill-opacity', 'clip-rule',
  'clip-path', 'mask', 'opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit',
  'stroke-dasharray', 'stroke-opacity', 'offset', 'stop-color', 'stop-opacity', 'gradientUnits', 'gradientTransform',
  'clipPathUnits', 'maskUnits', 'href',
] // prettier-ignore

const isSvg = (bytes: Buffer): boolean => /<svg[\s>]/.test(bytes.toString('utf8', 0, 4096))

function cleanSvg(text: string): Buffer | undefined {
  // Loaded only when there is a logo: most starts of the server do not need it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package's own types
  const clean = createRequire(import.meta.url)('sanitize-html') as typeof import('sanitize-html')
  const inner = clean(text.replaceAll(/<style[\s\S]*?<\/style>/gi, ''), {
    allowedTags: SVG_TAGS,
    allowedAttributes: { '*': SVG_ATTRIBUTES },
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
