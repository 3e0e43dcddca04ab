import { atFoot, type Composition, cropAround, MARGIN, n, type Sheet, atHead } from './composition.ts'
import { hex, BLACK, mix } from '#server/colour.ts'
import { around, between } from './random.ts'
import type { Box } from './set-type.ts'
import { newsreader } from './letters.ts'

const BIRDS = 280

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

/** Keeps the birds from lining up along the edge. */
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

const REACH = 372

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

const ARCS = 6
const OUTERMOST = 299

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

const WAVES = 7

export const tide: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.52 - MARGIN })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const highest = 32
    const first = Math.max(height * 0.42, type.bottom + highest + 26)
    const step = (height - first) / (WAVES - 0.2)
    const bottom = mix(palette.ground, palette.text, 0.06)
    const waves = Array.from({ length: WAVES }, (_, wave) => {
      const half = between(random, 70, 112) * (width / 600)
      // The crest of a quadratic curve is at half the height of its control point.
      const crest = Math.min(2 * highest, between(random, 34, 64))
      const start = left - between(random, 0.2, 2) * 2 * half
      const count = Math.ceil((width - start) / (2 * half))
      const swell = Array.from(
        { length: count },
        () => `q${n(half / 2)} ${n(-crest)} ${n(half)} 0q${n(half / 2)} ${n(crest)} ${n(half)} 0`,
      ).join('')
      const colour = mix(palette.accent, bottom, (wave / WAVES) ** 0.9)
      return `<path d="M${n(start)} ${n(first + wave * step)}${swell}V${height}H${n(start)}z" fill="${hex(colour)}"/>`
    })
    return { art: waves.join(''), crop: cropAround(sheet, width / 2, first + 120, 330) }
  },
}

const ARCH = 230
const COLUMN = 304

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

export const initial: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.42 - MARGIN, largest: 76 })],

  draw(sheet, type) {
    const { left, width, height, palette, random, letter } = sheet
    const face = newsreader()
    const foot = height - MARGIN
    const tallest = (foot - type.bottom - 40) / face.capHeight
    const widest = (width - left - 2 * MARGIN) / face.width(letter || 'M', 1)
    // A Q hangs below the baseline, so leave room for its tail.
    const size = Math.min(tallest, widest) * (/[QJ]/.test(letter) ? 0.82 : 1)
    const span = face.width(letter, size)
    const x = random() < 0.5 ? width - MARGIN - span : left + MARGIN
    const baseline = foot - (/[QJ]/.test(letter) ? 0.2 * size * face.capHeight : 0)
    return {
      art: `<path d="${face.outline(letter, x, baseline, size)}" fill="${hex(palette.accent)}"/>`,
      crop: cropAround(
        sheet,
        x + span / 2,
        baseline - (size * face.capHeight) / 2,
        Math.min(330, size * face.capHeight * 1.25),
      ),
    }
  },
}
