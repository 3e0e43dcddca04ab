import { BLACK, hex, mix } from '#server/colour.ts'
import { atFoot, type Composition, cropAround, n } from './composition.ts'
import { between } from './random.ts'

const ARCH = 230
/** Right edge of the column next to the arch. */
const COLUMN = 304

/** An arch with a disc behind it: bright inside the arch, dim outside. */
export const window: Composition = {
  rooms: (sheet) => {
    const tall = sheet.height > 600
    const column = atFoot(sheet, {
      width: COLUMN - sheet.left - 44,
      height: sheet.height * (tall ? 0.5 : 0.61),
      largest: tall ? 72 : 64,
    })
    return [column, atFoot(sheet, { height: sheet.height * 0.42 - 44, largest: 64 })]
  },

  draw(sheet, type) {
    const { width, height, palette, random, id } = sheet
    const { ground, accent, text } = palette
    const tall = height > 600
    // A title too wide for the column is set below a shorter window.
    const below = type.right > COLUMN + 1
    const foot = below ? type.top - 30 : height
    const left = 316 + between(random, 0, 8)
    const half = Math.min(ARCH, width - left - 38) / 2
    const shoulder = (below ? 50 : height * 0.118) + half
    const sill = below ? foot - (foot - shoulder) * 0.2 : height * between(random, 0.62, 0.72)
    const lowest = below ? sill - 10 : type.top - 24
    const radius = Math.min(between(random, 90, 106) * (tall ? 1.1 : 1), (lowest - 50) / 2)
    const x = left - between(random, 0, 0.22) * radius
    const y = Math.min(shoulder + between(random, 20, 50), lowest - radius)
    const arch = `M${n(left)} ${n(foot)}V${n(shoulder)}a${n(half)} ${n(half)} 0 0 1 ${n(2 * half)} 0V${n(foot)}z`
    const disc = (colour: string) => `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${colour}"/>`
    const art = [
      `<clipPath id="${id}"><path d="${arch}"/></clipPath>`,
      disc(hex(mix(ground, accent, 0.42))),
      `<path d="${arch}" fill="${hex(mix(ground, text, 0.14))}"/>`,
      `<g clip-path="url(#${id})">${disc(hex(accent))}`,
      `<path d="M0 ${n(sill + 24)}L${width} ${n(sill - 24)}V${height}H0z" fill="${hex(mix(ground, BLACK, 0.27))}"/></g>`,
    ]
    return { art: art.join(''), crop: cropAround(sheet, left + 0.25 * half, y, Math.min(370, foot)) }
  },
}
