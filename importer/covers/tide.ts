import { hex, mix } from '#server/colour.ts'
import { atHead, type Composition, cropAround, MARGIN, n } from './composition.ts'
import { between } from './random.ts'

const WAVES = 7

/** Seven stacked waves that fade into the background; the title is above them. */
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
