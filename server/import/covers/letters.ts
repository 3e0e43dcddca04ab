import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Font, PathCommand } from 'opentype.js'
import { type Kerning, kerningOf } from './kerning.ts'

// CommonJS that hides its names from an import.
const opentype: typeof import('opentype.js') = createRequire(import.meta.url)('opentype.js')

export interface Face {
  /** Height of a capital, as a share of the size. */
  readonly capHeight: number
  /** Width in px of `text` set in `size` px. */
  width(text: string, size: number): number
  /** The outlines as an SVG path, the left end of the baseline at `x`, `y`. */
  outline(text: string, x: number, y: number, size: number): string
  /** The text as this face can set it: what it has no letter for loses its accents, or goes. */
  settable(text: string): string
}

/** Titles: Newsreader 500, a little tight as display type wants. */
export const newsreader = (): Face => (display ??= faceOf(filesOf('newsreader', 500), -0.02))
/** Authors: Source Sans 600. */
export const sourceSans = (): Face => (small ??= faceOf(filesOf('source-sans-3', 600), 0))

let display: Face | undefined
let small: Face | undefined

interface Cut {
  readonly font: Font
  readonly kerning: Kerning
}
interface Letter {
  readonly cut: Cut
  readonly glyph: number
}

/** The subsets are files of their own; a letter comes from the first that has it. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese']

function filesOf(family: string, weight: number): string[] {
  const find = createRequire(import.meta.url).resolve
  return SUBSETS.map((subset) =>
    find(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`),
  )
}

function faceOf(files: readonly string[], tracking: number): Face {
  const cuts = files.map(cutOf)
  const main = cuts[0]!.font
  const letterOf = (character: string): Letter | undefined => {
    const cut = cuts.find(({ font }) => font.charToGlyphIndex(character) > 0)
    return cut && { cut, glyph: cut.font.charToGlyphIndex(character) }
  }
  const set = (
    text: string,
    size: number,
    each: (letter: Letter, x: number, size: number) => void,
  ): number => {
    let x = 0
    let last: Letter | undefined
    for (const character of text) {
      const letter = letterOf(character)
      if (!letter) continue
      const { font, kerning } = letter.cut
      const unit = size / font.unitsPerEm
      if (last) x += tracking * size
      if (last?.cut === letter.cut) x += kerning(last.glyph, letter.glyph) * unit
      each(letter, x, size)
      x += (font.glyphs.get(letter.glyph).advanceWidth ?? 0) * unit
      last = letter
    }
    return x
  }
  return {
    capHeight: (main.tables.os2?.sCapHeight ?? 0.67 * main.unitsPerEm) / main.unitsPerEm,
    width: (text, size) => set(text, size, () => undefined),
    outline(text, x, y, size) {
      let path = ''
      set(text, size, ({ cut, glyph }, offset) => {
        path += pathData(cut.font.glyphs.get(glyph).getPath(x + offset, y, size).commands)
      })
      return path
    },
    settable: (text) =>
      Array.from(text.normalize('NFC'), (character) => {
        if (letterOf(character)) return character
        const plain = character.normalize('NFD').replace(/\p{M}/gu, '')
        return Array.from(plain, (part) => (letterOf(part) ? part : '')).join('')
      })
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
  }
}

function cutOf(file: string): Cut {
  const bytes = readFileSync(file)
  const { buffer, byteOffset, byteLength } = bytes
  return {
    font: opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength)),
    kerning: kerningOf(bytes),
  }
}

// Written here, because the library's own writer drops the separator before some numbers (2.0.0).
function pathData(commands: readonly PathCommand[]): string {
  const at = (...numbers: number[]) => numbers.map((number) => Math.round(number * 100) / 100).join(' ')
  return commands
    .map((step) => {
      if (step.type === 'Z') return 'Z'
      if (step.type === 'Q') return `Q${at(step.x1, step.y1, step.x, step.y)}`
      if (step.type === 'C') return `C${at(step.x1, step.y1, step.x2, step.y2, step.x, step.y)}`
      return `${step.type}${at(step.x, step.y)}`
    })
    .join('')
}
