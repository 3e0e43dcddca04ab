import { BLACK, hex, mix } from '#server/colour.ts'
import { atFoot, type Composition, cropAround, MARGIN, n } from './composition.ts'
import { between } from './random.ts'

/** How far down the facets of a square cover reach. */
const REACH = 372

/** Four paper facets, mirrored at random. */
export const fold: Composition = {
  rooms: (sheet) => [
    atFoot(sheet, { height: sheet.height * 0.5 - MARGIN, largest: sheet.height > 600 ? 84 : 76 }),
  ],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const down = Math.min((height > 600 ? 1.42 : 1) * REACH, type.top - 28) / REACH
    const ridge = between(random, 300, 450)
    const edge = between(random, 135, 230) * down
    const [x, y] = [between(random, 157, 246), between(random, 235, 275) * down]
    const facet = (points: readonly (readonly [number, number])[], fill: string) =>
      `<path d="M${points.map(([px, py]) => `${n(px)} ${n(py)}`).join('L')}z" fill="${fill}"/>`
    const mirrored = random() < 0.5
    const art = [
      mirrored ? `<g transform="matrix(-1 0 0 1 ${n(width + left)} 0)">` : '<g>',
      facet(
        [
          [ridge, 0],
          [width, 0],
          [width, edge],
        ],
        hex(accent),
      ),
      facet(
        [
          [left, 0],
          [ridge, 0],
          [x, y],
        ],
        hex(mix(ground, text, 0.17)),
      ),
      facet(
        [
          [ridge, 0],
          [width, edge],
          [x, y],
        ],
        hex(mix(ground, accent, 0.55)),
      ),
      facet(
        [
          [width, edge],
          [width, REACH * down],
          [x, y],
        ],
        hex(mix(ground, BLACK, 0.25)),
      ),
      '</g>',
    ]
    const centre = (ridge + x) / 2 + 40
    return {
      art: art.join(''),
      crop: cropAround(sheet, mirrored ? width + left - centre : centre, 0, 0.92 * REACH * down),
    }
  },
}
