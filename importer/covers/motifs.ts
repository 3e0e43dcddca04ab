import { BLACK, hex, lightness, mix, WHITE } from '#server/colour.ts'
import { atFoot, atHead, type Composition, cropAround, MARGIN, n, type Sheet } from './composition.ts'
import { between } from './random.ts'

/** Compositions that show what a book is about; the abstract ones are in `drawings.ts`. */

const polygon = (points: readonly (readonly [number, number])[], fill: string): string =>
  `<path d="M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}z" fill="${fill}"/>`
const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${fill}"/>`
const bar = (x: number, y: number, width: number, height: number, fill: string): string =>
  `<path d="M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z" fill="${fill}"/>`

function mirrored(sheet: Sheet, art: string): { art: string; flip: (x: number) => number } {
  if (sheet.random() < 0.5) return { art, flip: (x) => x }
  const axis = sheet.width + sheet.left
  return { art: `<g transform="matrix(-1 0 0 1 ${n(axis)} 0)">${art}</g>`, flip: (x) => axis - x }
}

export const hills: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.44 - MARGIN })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const top = Math.max(height * 0.46, type.bottom + 40)
    const ridges = 5
    const step = (height - top) / (ridges + 0.4)
    const radius = between(random, 62, 78)
    const [x, y] = [left + (width - left) * between(random, 0.58, 0.78), top + radius * 0.9]
    const layers = Array.from({ length: ridges }, (_, ridge) => {
      const base = top + (ridge + 0.75) * step
      const count = 3 + ridge
      const points = Array.from({ length: 2 * count + 1 }, (_unused, index): [number, number] => [
        left + ((width - left) * (index + (index % 2 ? between(random, -0.25, 0.25) : 0))) / (2 * count),
        base + (index % 2 ? -between(random, 0.45, 1.05) * step : between(random, 0.1, 0.45) * step),
      ])
      const fill = mix(mix(ground, text, 0.2), mix(ground, BLACK, 0.35), ridge / (ridges - 1))
      return polygon([[left, height], ...points, [width, height]], hex(fill))
    })
    const { art, flip } = mirrored(sheet, disc(x, y, radius, hex(accent)) + layers.join(''))
    return { art, crop: cropAround(sheet, flip(x), y + 60, 300) }
  },
}

export const roofs: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.45 - MARGIN })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const top = Math.max(height * 0.44, type.bottom + 36)
    const rows = height > 600 ? 3 : 2
    const rise = (height - top) / (rows + 0.15)
    let art = ''
    for (let row = 0; row < rows; row++) {
      const foot = row === rows - 1 ? height : top + (row + 1.55) * rise
      const wall = mix(mix(ground, text, 0.16), mix(ground, BLACK, 0.3), row / Math.max(1, rows - 1))
      const roof = mix(wall, accent, row === rows - 1 ? 0.85 : 0.35)
      let x = left - between(random, 10, 70)
      while (x < width) {
        const span = between(random, 92, 138)
        const eaves = top + row * rise + between(random, 0.36, 0.62) * rise
        const peak = eaves - between(random, 0.24, 0.36) * rise
        art += bar(x, eaves, span + 1, foot - eaves, hex(wall))
        art += polygon(
          [
            [x - 5, eaves],
            [x + span * between(random, 0.35, 0.65), peak],
            [x + span + 6, eaves],
          ],
          hex(roof),
        )
        const isLit = random() < 0.6
        art += bar(
          x + span * 0.36,
          eaves + rise * 0.16,
          span * 0.26,
          rise * 0.2,
          hex(isLit ? mix(accent, text, 0.45) : mix(wall, BLACK, 0.25)),
        )
        x += span
      }
    }
    return { art, crop: cropAround(sheet, left + (width - left) / 2, top + rise * 0.9, 280) }
  },
}

export const lamp: Composition = {
  rooms: (sheet) => [
    atFoot(sheet, {
      width: (sheet.width - sheet.left) * 0.63 - MARGIN,
      height: sheet.height * 0.5,
      largest: 70,
    }),
    atFoot(sheet, { height: sheet.height * 0.34, largest: 64 }),
  ],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const besideType = type.right < left + (width - left) * 0.66
    const foot = besideType ? height : type.top - 34
    const x = left + (width - left) * (besideType ? 0.82 : between(random, 0.6, 0.74))
    const light = Math.max(96, Math.min(height * 0.26, foot * 0.34))
    const half = 26
    const lowest = type.top - 26
    const beam = (toX: number, spread: number, share: number) =>
      polygon(
        [
          [x, light],
          [toX, Math.min(lowest, light + spread * 0.55)],
          [toX, Math.max(10, light - spread * 0.62)],
        ],
        hex(mix(ground, accent, share)),
      )
    const stripe = (foot - light - 44) / 5
    const tower = Array.from({ length: 5 }, (_, index) => {
      const [above, below] = [index / 5, (index + 1) / 5]
      const y = light + 34 + index * stripe
      const wide = (share: number) => half * (0.82 + 0.5 * share)
      return polygon(
        [
          [x - wide(above), y],
          [x + wide(above), y],
          [x + wide(below), y + stripe],
          [x - wide(below), y + stripe],
        ],
        hex(index % 2 === 0 ? mix(ground, text, 0.82) : mix(ground, accent, 0.95)),
      )
    })
    const art = [
      beam(left, 250, 0.34),
      beam(width, 110, 0.34),
      ...tower,
      bar(x - half * 1.1, light + 26, half * 2.2, 9, hex(mix(ground, BLACK, 0.5))),
      bar(x - half * 0.62, light - 24, half * 1.24, 50, hex(accent)),
      polygon(
        [
          [x - half * 0.95, light - 24],
          [x, light - 56],
          [x + half * 0.95, light - 24],
        ],
        hex(mix(ground, BLACK, 0.5)),
      ),
    ]
    return { art: art.join(''), crop: cropAround(sheet, x, light + 40, 260) }
  },
}

export const rain: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.44 - MARGIN })],

  draw(sheet, type) {
    const { left, width, palette, random } = sheet
    const { ground, accent, text } = palette
    const foot = type.top - 44
    const slant = between(random, 0.16, 0.3) * (random() < 0.5 ? -1 : 1)
    const columns = 22
    let near = ''
    let far = ''
    for (let column = 0; column < columns; column++) {
      let y = 30 - between(random, 0, 90)
      while (y < foot - 26) {
        const length = Math.min(between(random, 30, 96), foot - 14 - y)
        const x = left + 26 + ((width - left - 52) * (column + 0.5)) / columns
        const from = Math.max(y, 24)
        const stroke = `M${n(x - slant * (from - foot) * 0.35)} ${n(from)}L${n(x - slant * (y + length - foot) * 0.35)} ${n(y + length)}`
        if (y + length > from + 8) {
          if (random() < 0.24) near += stroke
          else far += stroke
        }
        y += length + between(random, 26, 72)
      }
    }
    const pool = `M${n(left + MARGIN)} ${n(foot)}H${n(width - MARGIN)}`
    return {
      art:
        `<path d="${far}" stroke="${hex(mix(ground, text, 0.3))}" stroke-width="5" stroke-linecap="round" fill="none"/>` +
        `<path d="${near}" stroke="${hex(accent)}" stroke-width="9" stroke-linecap="round" fill="none"/>` +
        `<path d="${pool}" stroke="${hex(mix(ground, text, 0.3))}" stroke-width="5" stroke-linecap="round" fill="none"/>`,
      crop: cropAround(sheet, left + (width - left) / 2, foot / 2 + 20, Math.min(300, foot)),
    }
  },
}

export const snow: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.46 - MARGIN })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const top = type.bottom + 34
    const drift = height - between(random, 0.13, 0.17) * height
    const flakes = Array.from({ length: 46 }, (_, index) => {
      const share = (index + random()) / 46
      const y = top + Math.sqrt(share) * (drift - top - 10)
      const radius = between(random, 3.5, 9) * (0.6 + share * 0.8)
      const x = between(random, left + 30, width - 30)
      return disc(
        x,
        Math.max(y, top + radius),
        radius,
        hex(index % 6 === 0 ? accent : mix(ground, text, 0.5)),
      )
    })
    const wave = between(random, 26, 44)
    const third = (width - left) / 3
    const white = lightness(ground) > 0.5 ? mix(ground, WHITE, 0.75) : mix(ground, text, 0.86)
    const bank =
      `<path d="M${n(left)} ${n(drift)}q${n(third / 2)} ${n(-wave)} ${n(third)} 0t${n(third)} 0t${n(third)} 0V${height}H${left}z" ` +
      `fill="${hex(white)}"/>`
    // A single dark tree gives the drift its scale.
    const x = left + (width - left) * between(random, 0.22, 0.78)
    const dark = hex(accent)
    const tree = [0, 1, 2]
      .map((tier) =>
        polygon(
          [
            [x - 18 - tier * 11, drift - 42 + tier * 26],
            [x, drift - 96 + tier * 22],
            [x + 18 + tier * 11, drift - 42 + tier * 26],
          ],
          dark,
        ),
      )
      .join('')
    return {
      art: flakes.join('') + bank + tree,
      crop: cropAround(sheet, x, drift - 40, Math.min(250, height - top)),
    }
  },
}

export const strings: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.42 - MARGIN })],

  draw(sheet, type) {
    const { left, width, palette, random } = sheet
    const { ground, accent, text } = palette
    const foot = type.top - 52
    const gap = Math.min(52, (foot - 90) / 6)
    const middle = (foot + 60) / 2
    const swing = between(random, 34, 62) * (random() < 0.5 ? -1 : 1)
    const span = width - left
    const at = (line: number, share: number) =>
      middle + (line - 2) * gap + Math.sin((share - 0.1) * Math.PI * 1.7) * swing
    const lines = [0, 1, 2, 3, 4].map((line) => {
      const points = Array.from({ length: 25 }, (_, step) => step / 24)
      const path = points.map((share) => `${n(left + share * span)} ${n(at(line, share))}`).join('L')
      return `<path d="M${path}" fill="none" stroke="${hex(mix(ground, text, 0.42))}" stroke-width="4"/>`
    })
    const notes = Array.from({ length: 6 }, (_, index) => {
      const share = 0.11 + index * 0.155 + between(random, -0.02, 0.02)
      const line = Math.round(between(random, 0.6, 4.4)) - 0.5 * Math.round(random())
      const [x, y] = [left + share * span, at(line, share)]
      const up = line > 1.6
      const stem = gap * 2.3 * (up ? -1 : 1)
      const side = up ? 15 : -15
      return (
        `<ellipse cx="${n(x)}" cy="${n(y)}" rx="19" ry="14" transform="rotate(-18 ${n(x)} ${n(y)})" fill="${hex(accent)}"/>` +
        `<path d="M${n(x + side)} ${n(y)}v${n(stem)}" stroke="${hex(accent)}" stroke-width="6" stroke-linecap="round"/>`
      )
    })
    return {
      art: lines.join('') + notes.join(''),
      crop: cropAround(sheet, left + span * 0.42, middle, Math.min(330, foot)),
    }
  },
}

export const branches: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.42 - MARGIN })],

  draw(sheet, type) {
    const { left, width, palette, random } = sheet
    const { ground, accent, text } = palette
    const foot = type.top - 30
    let wood = ''
    let leaves = ''
    const leaf = (x: number, y: number, turn: number) => {
      const size = between(random, 17, 27)
      leaves +=
        `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(size)}" ry="${n(size * 0.46)}" ` +
        `transform="rotate(${n((turn * 180) / Math.PI)} ${n(x)} ${n(y)})" fill="${hex(random() < 0.72 ? accent : mix(accent, text, 0.35))}"/>`
    }
    const inside = (x: number, y: number) => x > left + 34 && x < width - 34 && y > 34 && y < foot - 8
    const grow = (x: number, y: number, turn: number, length: number, wide: number, depth: number) => {
      const [toX, toY] = [x + Math.cos(turn) * length, y + Math.sin(turn) * length]
      wood += `<path d="M${n(x)} ${n(y)}L${n(toX)} ${n(toY)}" stroke="${hex(mix(ground, text, 0.46))}" stroke-width="${n(wide)}" stroke-linecap="round"/>`
      if (depth === 0) {
        if (inside(toX, toY)) leaf(toX, toY, turn)
        return
      }
      for (const side of [-1, 1])
        grow(
          toX,
          toY,
          turn + side * between(random, 0.26, 0.52),
          length * between(random, 0.7, 0.84),
          wide * 0.66,
          depth - 1,
        )
      if (random() < 0.6 && inside(toX + 14, toY - 14)) leaf(toX + 14, toY - 14, turn - 0.8)
    }
    const height = foot - 20
    grow(
      left + (width - left) / 2 + between(random, -50, 50),
      foot,
      -Math.PI / 2 + between(random, -0.12, 0.12),
      height * 0.27,
      19,
      5,
    )
    return {
      art: wood + leaves,
      crop: cropAround(sheet, left + (width - left) / 2, foot * 0.42, Math.min(330, foot)),
    }
  },
}

export const rails: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.44 - MARGIN })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const horizon = Math.max(height * 0.5, type.bottom + 60)
    const end = left + (width - left) * between(random, 0.3, 0.7)
    const start = left + (width - left) * between(random, 0.38, 0.62)
    const drop = height - horizon
    const centre = (share: number) => end + (start - end) * share
    const half = (share: number) => 4 + 150 * share
    let art = bar(left, horizon, width - left, drop, hex(mix(ground, BLACK, 0.28)))
    art += disc(end, horizon, 54, hex(accent))
    art += bar(left, horizon, width - left, drop, hex(mix(ground, BLACK, 0.28)))
    for (let sleeper = 1; sleeper <= 11; sleeper++) {
      const share = (sleeper / 11) ** 2.1
      const [y, thick] = [horizon + drop * share, 3 + 20 * share]
      const wide = half(share) * 1.34
      art += bar(
        centre(share) - wide,
        Math.min(y, height - 2) - thick / 2,
        2 * wide,
        thick,
        hex(lightness(ground) > 0.5 ? mix(ground, BLACK, 0.55) : mix(ground, text, 0.34)),
      )
    }
    for (const side of [-1, 1])
      art += polygon(
        [
          [centre(0) + side * 3, horizon],
          [centre(1) + side * (half(1) - 9), height],
          [centre(1) + side * (half(1) + 9), height],
        ],
        hex(mix(accent, text, 0.25)),
      )
    return { art, crop: cropAround(sheet, end, horizon + 60, 270) }
  },
}

export const door: Composition = {
  rooms: (sheet) => {
    const tall = sheet.height > 600
    return [
      atFoot(sheet, { width: 306 - sheet.left, height: sheet.height * (tall ? 0.5 : 0.66), largest: 74 }),
      atFoot(sheet, { height: sheet.height * 0.38 - 44, largest: 62 }),
    ]
  },

  draw(sheet, type) {
    const { width, height, palette } = sheet
    const { ground, accent, text } = palette
    const isBeside = type.right < 356
    const foot = isBeside ? height - 92 : type.top - 40
    const [x, wide] = [394, 142]
    const top = isBeside ? height * 0.13 : 50
    const frame = bar(x - 12, top - 12, wide + 24, foot - top + 12, hex(mix(ground, text, 0.24)))
    const opening = bar(x, top, wide, foot - top, hex(accent))
    const leaf = polygon(
      [
        [x + wide, top],
        [x + wide * 0.46, top + 22],
        [x + wide * 0.46, foot + (isBeside ? 34 : 20)],
        [x + wide, foot],
      ],
      hex(mix(ground, BLACK, 0.34)),
    )
    const floor = isBeside
      ? polygon(
          [
            [x, foot],
            [x + wide * 0.46, foot],
            [x + wide * 0.2, height],
            [x - 150, height],
          ],
          hex(mix(ground, accent, 0.4)),
        )
      : ''
    const handle = disc(x + wide * 0.55, (top + foot) / 2 + 20, 7, hex(accent))
    const line = bar(sheet.left, foot, width - sheet.left, 4, hex(mix(ground, text, 0.24)))
    // Light may not fall on the type.
    const safe = isBeside && type.right > x - 156 ? '' : floor
    return {
      art: (isBeside && safe === '' ? '' : line) + safe + frame + opening + leaf + handle,
      crop: cropAround(sheet, x + wide / 2, (top + foot) / 2, Math.min(320, foot)),
    }
  },
}

export const post: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.4 - MARGIN })],

  draw(sheet, type) {
    const { left, width, palette, random, id } = sheet
    const { ground, accent, text } = palette
    const foot = type.top - 46
    const wide = Math.min(330, (foot - 60) * 1.16)
    const high = wide * 0.64
    const [x, y] = [left + (width - left - wide) / 2, (foot - high) / 2 + 40]
    const shades = [mix(ground, text, 0.2), mix(ground, text, 0.42), mix(ground, text, 0.86)]
    const letters = shades.map((shade, index) => {
      const turn = index === 2 ? between(random, -3, 3) : between(random, 9, 17) * (index === 0 ? -1 : 1)
      const flap = polygon(
        [
          [x, y],
          [x + wide, y],
          [x + wide / 2, y + high * 0.56],
        ],
        hex(index === 2 ? mix(shade, ground, 0.22) : mix(shade, ground, 0.35)),
      )
      const seal = index === 2 ? disc(x + wide / 2, y + high * 0.54, 27, hex(accent)) : ''
      return `<g transform="rotate(${n(turn)} ${n(x + wide / 2)} ${n(y + high / 2)})">${bar(x, y, wide, high, hex(shade))}${flap}${seal}</g>`
    })
    return {
      art:
        `<clipPath id="${id}"><path d="M${left} 0H${width}V${n(foot + 20)}H${left}z"/></clipPath>` +
        `<g clip-path="url(#${id})">${letters.join('')}</g>`,
      crop: cropAround(sheet, x + wide / 2, y + high * 0.5, Math.min(300, foot)),
    }
  },
}

export const kin: Composition = {
  rooms: (sheet) => [atFoot(sheet, { height: sheet.height * 0.42 - MARGIN })],

  draw(sheet, type) {
    const { left, width, palette, random, id } = sheet
    const { ground, accent, text } = palette
    const foot = type.top - 34
    const span = width - left
    const radius = Math.min(span * 0.235, (foot - 90) / 2)
    const y = foot / 2 + 10
    const first = left + span / 2 - radius * between(random, 0.52, 0.64)
    const second = left + span - (first - left)
    const third = random() < 0.5
    const pale = hex(mix(ground, text, 0.24))
    const both = `<clipPath id="${id}"><circle cx="${n(first)}" cy="${n(y)}" r="${n(radius)}"/></clipPath>`
    const small = third
      ? disc(left + span / 2, y + radius * 0.98, radius * 0.3, hex(mix(accent, text, 0.5)))
      : ''
    return {
      art:
        both +
        disc(first, y, radius, hex(accent)) +
        disc(second, y, radius, pale) +
        `<g clip-path="url(#${id})">${disc(second, y, radius, hex(mix(accent, text, 0.5)))}</g>` +
        small,
      crop: cropAround(sheet, left + span / 2, y, Math.min(340, radius * 2.4)),
    }
  },
}

export const furrows: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.44 - MARGIN })],

  draw(sheet, type) {
    const { left, width, height, palette, random } = sheet
    const { ground, accent, text } = palette
    const top = Math.max(height * 0.47, type.bottom + 44)
    const bend = between(random, 60, 170)
    const far = left + (width - left) * between(random, 0.25, 0.75)
    const rows = 13
    let art = bar(left, top, width - left, height - top, hex(mix(ground, BLACK, 0.24)))
    for (let row = -rows; row <= rows; row++) {
      const [near, wide] = [left + (width - left) / 2 + row * 74, 30]
      const start = far + row * 11
      art +=
        `<path d="M${n(start - 1.5)} ${n(top)}Q${n((start + near) / 2 + bend * 0.3)} ${n((top + height) / 2)} ${n(near - wide / 2)} ${height}` +
        `h${wide}Q${n((start + near) / 2 + bend * 0.3 + 10)} ${n((top + height) / 2)} ${n(start + 1.5)} ${n(top)}z" ` +
        `fill="${hex(row % 4 === 0 ? accent : mix(ground, text, 0.26))}"/>`
    }
    return { art, crop: cropAround(sheet, far, top + 110, 240) }
  },
}
