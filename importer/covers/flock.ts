import { atFoot, type Composition, cropAround, MARGIN, n, type Sheet } from './composition.ts'
import { hex } from '#server/colour.ts'
import { around, between } from './random.ts'
import type { Box } from './set-type.ts'

const BIRDS = 280

/** A flock of lozenges along a sine, dense and large at one focus. */
export const flock: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.46 - MARGIN })],

  draw(sheet, type) {
    const { random, palette } = sheet
    const { left, right, top, bottom } = sky(sheet, type)
    const focus = between(random, 0.34, 0.66)
    const rising = random() < 0.6 ? 1 : -1
    const waves = between(random, 0.62, 0.85)
    const phase = between(random, -0.45, 0.45)
    const middle = (top + bottom) / 2
    const height = (bottom - top) * between(random, 0.24, 0.32)
    // The curve is steepest in the middle, so that the flock climbs or falls across the sheet.
    const angle = (share: number) => phase + (share - 0.5) * waves * 2 * Math.PI
    const line = (share: number) => middle - rising * Math.sin(angle(share)) * height
    const slope = (share: number) =>
      (-rising * Math.cos(angle(share)) * height * waves * 2 * Math.PI) / (right - left)

    let path = ''
    for (let bird = 0; bird < BIRDS; bird++) {
      const share = random() < 0.55 ? within(focus + around(random) * 0.15) : random()
      const near = Math.exp(-(((share - focus) / 0.2) ** 2))
      const spread = (bottom - top) * (0.06 + 0.12 * near)
      const x = left + share * (right - left) + around(random) * 4
      const y = turnedBack(line(share) + around(random) * spread, top, bottom)
      const length = (11 + 17 * near) * between(random, 0.6, 1.1)
      path += lozenge(
        x,
        y,
        length,
        Math.atan(slope(share)) + around(random) * 0.13,
        between(random, 0.09, 0.16),
      )
    }
    return {
      art: `<path d="${path}" fill="${hex(palette.accent)}"/>`,
      crop: cropAround(
        sheet,
        left + focus * (right - left),
        line(focus),
        Math.min(400, (bottom - top) * 0.85 + 60),
      ),
    }
  },
}

function sky({ left, width }: Sheet, type: Box) {
  return { left: left + 36, right: width - 36, top: 44, bottom: type.top - 34 }
}

const within = (share: number): number => (share < 0 ? -share : share > 1 ? 2 - share : share)

/** Reflects a bird beyond the edge back inside, so that the birds do not line up along the edge. */
function turnedBack(y: number, top: number, bottom: number): number {
  if (y < top) return Math.min(bottom, top + (top - y) * 0.7)
  return y > bottom ? Math.max(top, bottom - (y - bottom) * 0.7) : y
}

/** The lozenge is thicker in front of its middle than behind, which suggests flight. */
function lozenge(x: number, y: number, length: number, turn: number, thin: number): string {
  const [along, up] = [Math.cos(turn), Math.sin(turn)]
  const point = (ahead: number, aside: number) =>
    `${n(ahead * along - aside * up)} ${n(ahead * up + aside * along)}`
  const [half, side] = [length / 2, length * thin]
  return `M${n(x)} ${n(y)}l${point(half, -side)} ${point(half, side)} ${point(-half, side * 0.65)}z`
}
