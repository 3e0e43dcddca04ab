import { hex } from '#server/colour.ts'
import type { Composition, Sheet } from '../covers/composition.ts'
import { flock } from '../covers/flock.ts'
import { fold } from '../covers/fold.ts'
import { newsreader } from '../covers/letters.ts'
import { orbit } from '../covers/orbit.ts'
import { paletteOf, type TitleColours } from '../covers/palette.ts'
import { hash32, randomOf } from '../covers/random.ts'
import { tide } from '../covers/tide.ts'
import { window } from '../covers/window.ts'

export const DRAWINGS = ['flock', 'tide', 'window', 'fold', 'orbit'] as const
export type DrawingName = (typeof DRAWINGS)[number]
const DRAWN: Readonly<Record<DrawingName, Composition>> = { flock, tide, window, fold, orbit }

/** The drawing for an item; the same seed gives the same drawing. */
export const drawingOf = (seed: string): DrawingName => DRAWINGS[hash32(seed) % DRAWINGS.length]!

/** An SVG in the format 3:2, drawn like a cover but without type. The same input gives the same bytes. */
export const drawing = (name: DrawingName, colours: TitleColours, seed: string): string =>
  drawn(DRAWN[name], sheetOf(colours, seed))

/** For a person without a photograph: the first letter of the name in the centre of a square. */
export function portrait(name: string, colours: TitleColours): string {
  const { ground, accent } = paletteOf(colours)
  const face = newsreader()
  const letter = face.settable(name).slice(0, 1).toUpperCase()
  const foot = (SQUARE + face.capHeight * LETTER) / 2
  const outline = face.outline(letter, (SQUARE - face.width(letter, LETTER)) / 2, foot, LETTER)
  return svg(SQUARE, SQUARE, hex(ground), `<path d="${outline}" fill="${hex(accent)}"/>`)
}
const SQUARE = 600
const LETTER = 400

const sheetOf = (colours: TitleColours, seed: string): Sheet => ({
  width: 600,
  height: 400,
  left: 0,
  palette: paletteOf(colours),
  random: randomOf(hash32(seed)),
  letter: '',
  id: `w${hash32(seed)}`,
})

function drawn(composition: Composition, sheet: Sheet): string {
  const { width, height, palette } = sheet
  // There is no type: place its box outside the sheet, so that the drawing uses the whole sheet.
  const { art } = composition.draw(sheet, { left: 0, right: 0, top: height + 20, bottom: -20 })
  return svg(width, height, hex(palette.ground), art)
}

const svg = (width: number, height: number, ground: string, art: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
  `<path fill="${ground}" d="M0 0h${width}v${height}H0z"/>${art}</svg>`
