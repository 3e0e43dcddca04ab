import { hex } from '#server/colour.ts'
import { atHead, type Composition, cropAround, MARGIN } from './composition.ts'
import { newsreader } from './letters.ts'

/** The initial, cropped by two edges; the title is in the free corner. */
export const initial: Composition = {
  rooms: (sheet) => [atHead(sheet, { height: sheet.height * 0.46 - MARGIN, largest: 76 })],

  draw(sheet, type) {
    const { left, width, height, palette, random, letter } = sheet
    const face = newsreader()
    const foot = height * 1.13
    const free = foot - (type.bottom + 34)
    // As tall as the corner allows, but not so wide that the letter becomes unrecognisable.
    const size = Math.min(free / face.capHeight, (width - left) * (height > 600 ? 1.15 : 0.92))
    const span = face.width(letter, size)
    const x = random() < 0.5 ? width - span + 0.06 * size : left - 0.06 * size
    return {
      art: `<path d="${face.outline(letter, x, foot, size)}" fill="${hex(palette.accent)}"/>`,
      crop: cropAround(
        sheet,
        x + span / 2,
        height,
        Math.min(width - left, foot - height * 0.06 - (foot - size * face.capHeight)),
      ),
    }
  },
}
