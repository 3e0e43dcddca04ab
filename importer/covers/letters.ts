import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font, type Glyph } from 'fontkit'
import { LRUCache } from 'lru-cache'

export interface Face {
  /** As a share of the font size. */
  readonly capHeight: number
  /** In px, like `size`. */
  width(text: string, size: number): number
  /** SVG path; the left end of the baseline is at `x`, `y`. */
  outline(text: string, x: number, y: number, size: number): string
  /** A letter without a glyph loses its accent or is removed. */
  settable(text: string): string
}

export const newsreader = (): Face => (display ??= faceOf(filesOf('newsreader', 500), -0.02))
export const sourceSans = (): Face => (small ??= faceOf(filesOf('source-sans-3', 600), 0))

let display: Face | undefined
let small: Face | undefined

/** A glyph comes from the first file that has it. */
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
  readonly x: number
}
interface Line {
  readonly placed: readonly Placed[]
  readonly width: number
}

const REMEMBERED_LINES = 1000
/** Disable ligatures, so that every letter is a glyph and tracking applies between all of them. */
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
