import { hex } from '../covers/colour.ts'
import type { Composition, Sheet } from '../covers/composition.ts'
import { flock } from '../covers/flock.ts'
import { fold } from '../covers/fold.ts'
import { initial } from '../covers/initial.ts'
import { orbit } from '../covers/orbit.ts'
import { paletteOf, type TitleColours } from '../covers/palette.ts'
import { hash32, randomOf } from '../covers/random.ts'
import { tide } from '../covers/tide.ts'
import { window } from '../covers/window.ts'

/** The compositions of covers that say something without a title. */
const DRAWN = { flock, tide, window, fold, orbit } satisfies Record<string, Composition>
export type DrawingName = keyof typeof DRAWN
export const DRAWINGS = Object.keys(DRAWN) as DrawingName[]

/** A title's own drawing, the same each time. */
export const drawingOf = (seed: string): DrawingName => DRAWINGS[hash32(seed) % DRAWINGS.length]!

/** A picture of two to three as SVG, drawn like a cover and without type. The same input gives the same bytes. */
export const drawing = (name: DrawingName, colours: TitleColours, seed: string): string =>
  drawn(DRAWN[name], sheetOf(colours, seed, { width: 600, height: 400 }))

/** What stands for somebody without a photograph: the first letter of the name on a square. */
export const portrait = (name: string, colours: TitleColours): string =>
  drawn(initial, sheetOf(colours, name, { width: 600, height: 600 }, name.slice(0, 1).toUpperCase()))

const sheetOf = (
  colours: TitleColours,
  seed: string,
  size: Pick<Sheet, 'width' | 'height'>,
  letter = '',
): Sheet => ({
  ...size,
  left: 0,
  palette: paletteOf(colours),
  random: randomOf(hash32(seed)),
  letter,
  id: `w${hash32(seed)}`,
})

function drawn(composition: Composition, sheet: Sheet): string {
  const { width, height, palette } = sheet
  // Type that is not there leaves the whole sheet: it begins below the foot and ends above the head.
  const { art } = composition.draw(sheet, { left: 0, right: 0, top: height + 20, bottom: -20 })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
    `<path fill="${hex(palette.ground)}" d="M0 0h${width}v${height}H0z"/>${art}</svg>`
  )
}
