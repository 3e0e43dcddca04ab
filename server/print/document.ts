import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'

export type Paper = InstanceType<typeof PDFDocument>
export type Face = 'text' | 'strong' | 'display'

/** One millimetre in PDF points. */
export const MM = 72 / 25.4

export const A4 = { width: 210 * MM, height: 297 * MM, margin: 20 * MM }

/** Each font subset is a separate file; a character is taken from the first subset that has it. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'] as const
const FILES: Record<Face, (subset: string) => string> = {
  text: (subset) => `source-sans-3/files/source-sans-3-${subset}-400-normal.woff`,
  strong: (subset) => `source-sans-3/files/source-sans-3-${subset}-600-normal.woff`,
  display: (subset) => `newsreader/files/newsreader-${subset}-500-normal.woff`,
}
const FACES = ['text', 'strong', 'display'] as const

export async function openPaper(title: string): Promise<Paper> {
  // Loaded on demand: with its fonts it is the largest package, and most servers never print.
  const { default: PDFDocument } = await import('pdfkit')
  const paper = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: title } })
  const find = createRequire(import.meta.url).resolve
  for (const face of FACES)
    for (const subset of SUBSETS)
      paper.registerFont(`${subset}-${face}`, find(`@fontsource/${FILES[face](subset)}`))
  return paper
}

interface Written {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly face?: Face
  readonly colour?: string
  /** Maximum width in points; wider text is scaled down. */
  readonly width?: number
  readonly align?: 'left' | 'centre' | 'right'
  readonly spacing?: number
}

/** Characters that no font subset has are left out. */
export function write(
  paper: Paper,
  text: string,
  { x, y, size, face = 'text', colour = '#1C1A17', width, align = 'left', spacing = 0 }: Written,
): void {
  const runs = runsOf(paper, text, face)
  const widthAt = (fontSize: number) => widthOf(paper, runs, fontSize, spacing)
  const wanted = widthAt(size)
  const fitting = width !== undefined && wanted > width ? (size * width) / wanted : size
  let at = align === 'left' ? x : x - widthAt(fitting) / (align === 'right' ? 1 : 2)
  paper.fillColor(colour)
  for (const run of runs) {
    paper
      .font(run.font)
      .fontSize(fitting)
      .text(run.text, at, y, { lineBreak: false, characterSpacing: spacing })
    at += paper.widthOfString(run.text, { characterSpacing: spacing })
  }
}

/** Writes at most `most` lines, smaller if necessary. Returns the y position below them. */
export function writeLines(
  paper: Paper,
  text: string,
  { y, size, width, most, leading, ...look }: Written & { width: number; most: number; leading: number },
): number {
  let fitting = size
  let lines = linesAt(fitting)
  while (lines.length > most && fitting > size / 2) lines = linesAt((fitting -= 0.5))
  // Text that is still too long goes into the last line, scaled down.
  const last = lines.slice(most - 1).join(' ')
  const shown = [...lines.slice(0, most - 1), ...(last ? [last] : [])]
  shown.forEach((line, place) =>
    write(paper, line, { ...look, y: y + place * fitting * leading, size: fitting, width }),
  )
  return y + shown.length * fitting * leading

  function linesAt(fontSize: number): string[] {
    const found: string[] = []
    for (const word of text.split(/\s+/)) {
      const longer = found.length === 0 ? word : `${found.at(-1)} ${word}`
      const fits = widthOf(paper, runsOf(paper, longer, look.face ?? 'text'), fontSize, 0) <= width
      if (fits && found.length > 0) found[found.length - 1] = longer
      else found.push(word)
    }
    return found
  }
}

const widthOf = (paper: Paper, runs: readonly Run[], fontSize: number, spacing: number): number =>
  runs.reduce(
    (sum, { font, text }) =>
      sum + paper.font(font).fontSize(fontSize).widthOfString(text, { characterSpacing: spacing }),
    0,
  )

interface Run {
  readonly font: string
  text: string
}

function runsOf(paper: Paper, text: string, face: Face): Run[] {
  const runs: Run[] = []
  for (const letter of text) {
    const font = SUBSETS.map((subset) => `${subset}-${face}`).find((name) => hasLetter(paper, name, letter))
    if (font === undefined) continue
    const last = runs.at(-1)
    if (last?.font === font) last.text += letter
    else runs.push({ font, text: letter })
  }
  return runs
}

const known = new Map<string, boolean>()

function hasLetter(paper: Paper, font: string, letter: string): boolean {
  const key = font + letter
  const before = known.get(key)
  if (before !== undefined) return before
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types leave out the current font
  const { _font: open } = paper.font(font) as unknown as {
    _font: { font: { hasGlyphForCodePoint(codePoint: number): boolean } }
  }
  const has = open.font.hasGlyphForCodePoint(letter.codePointAt(0)!)
  known.set(key, has)
  return has
}
