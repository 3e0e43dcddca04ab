import { hex, mix } from '#server/colour.ts'
import { atFoot, type Composition, cropAround, MARGIN, n } from './composition.ts'
import { between } from './random.ts'

const ARCS = 6
/** Radius of the outermost arc at scale 1, without its stroke. */
const OUTERMOST = 299

/** Broken quarter arcs around an upper corner. */
export const orbit: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.52 - MARGIN, largest: 82 })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const scale = Math.min(
      height > 600 ? 1.45 : 1,
      (type.top - 26) / (OUTERMOST + 6),
      (width - left - 40) / OUTERMOST,
    )
    const mirrored = random() < 0.4
    const corner = mirrored ? left : width
    const arcs = Array.from({ length: ARCS }, (_, arc) => {
      const radius = (64 + arc * 47) * scale
      const round = 2 * Math.PI * radius
      const strong = arc === 1 || arc === 4
      const quarter = round / 4
      const length = quarter * between(random, 0.48, 0.94)
      // From the upper edge of the quarter to its side, with a random gap at both ends.
      const gap = between(random, 0, 1) * (1 - length / quarter) * 90
      const turn = mirrored ? 90 - gap - (length / quarter) * 90 : 90 + gap
      const colour = strong ? accent : mix(ground, text, 0.2 + arc * 0.09)
      return (
        `<circle cx="${n(corner)}" cy="0" r="${n(radius)}" fill="none" stroke="${hex(colour)}" ` +
        `stroke-width="${n((strong ? 30 : 12) * scale)}" stroke-dasharray="${n(length)} ${n(round)}" ` +
        `transform="rotate(${n(turn)} ${n(corner)} 0)"/>`
      )
    })
    return { art: arcs.join(''), crop: cropAround(sheet, corner, 0, (OUTERMOST + 36) * scale) }
  },
}
