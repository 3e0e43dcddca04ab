import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font, type Glyph } from 'fontkit'
import { LRUCache } from 'lru-cache'

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

/** The subsets are files of their own; a letter comes from the first that has it. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese']

function filesOf(family: string, weight: number): string[] {
  const find = createRequire(import.meta.url).resolve
  return SUBSETS.map((subset) =>
    find(`@fontsource/${family}/files/${family}-${subset}-${weight}-normal.woff`),
  )
}

interface Placed {
  readonly font: Font
  readonly glyph: Glyph
  /** Of the glyph's origin, in sizes of the type. */
  readonly x: number
}
interface Line {
  readonly placed: readonly Placed[]
  readonly width: number
}

/** Titles are measured at many sizes, and a word again and again while its lines are balanced. */
const REMEMBERED_LINES = 1000
/** One glyph for each letter, so that tracking falls between all of them alike. */
const FEATURES = { kern: true, liga: false, clig: false, calt: false }

function faceOf(files: readonly string[], tracking: number): Face {
  const fonts = files.map(fontOf)
  const main = fonts[0]!
  const fontFor = (character: string) =>
    fonts.find((font) => font.hasGlyphForCodePoint(character.codePointAt(0)!))

  function layOut(text: string): Line {
    const placed: Placed[] = []
    let x = 0
    for (const { font, letters } of runs(text, fontFor)) {
      const { glyphs, positions } = font.layout(letters, FEATURES)
      for (const [index, glyph] of glyphs.entries()) {
        if (placed.length > 0) x += tracking
        placed.push({ font, glyph, x })
        x += positions[index]!.xAdvance / font.unitsPerEm
      }
    }
    return { placed, width: x }
  }
  const lines = new LRUCache<string, Line>({ max: REMEMBERED_LINES, memoMethod: layOut })

  return {
    capHeight: (main.capHeight || 0.67 * main.unitsPerEm) / main.unitsPerEm,
    width: (text, size) => lines.memo(text).width * size,
    outline: (text, x, y, size) =>
      lines
        .memo(text)
        .placed.map(({ font, glyph, x: offset }) => {
          const scale = size / font.unitsPerEm
          return glyph.path
            .scale(scale, -scale)
            .translate(x + offset * size, y)
            .toSVG()
        })
        .join(''),
    settable: (text) =>
      Array.from(text.normalize('NFC'), (character) => {
        if (fontFor(character)) return character
        const plain = character.normalize('NFD').replace(/\p{M}/gu, '')
        return Array.from(plain, (part) => (fontFor(part) ? part : '')).join('')
      })
        .join('')
        .replace(/\s+/g, ' ')
        .trim(),
  }
}

/** Neighbouring letters of one font; a letter that no font has is left out. */
function runs(
  text: string,
  fontFor: (character: string) => Font | undefined,
): { readonly font: Font; letters: string }[] {
  const found: { readonly font: Font; letters: string }[] = []
  for (const character of text) {
    const font = fontFor(character)
    if (!font) continue
    const last = found.at(-1)
    if (last?.font === font) last.letters += character
    else found.push({ font, letters: character })
  }
  return found
}

function fontOf(file: string): Font {
  const font = create(readFileSync(file))
  if (!('layout' in font)) throw new Error(`${file} is a collection of fonts.`)
  return font
}
