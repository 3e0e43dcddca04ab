import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'

/**
 * Writes src/ui/fallbacks.css: for each font that a machine may have, a face with the line box of our own font and its
 * average width over our own words, so that the font swap causes no layout shift. The browser measures the fonts, so
 * they have to be installed (fonts-dejavu-core, fonts-liberation, fonts-roboto, fonts-noto-core).
 *
 * Georgia (on Windows, macOS and iOS) cannot be installed here. Its widths were measured against Newsreader once and
 * are listed below. Arial is as wide as Liberation Sans, Times New Roman as Liberation Serif.
 */
const ROOT = join(import.meta.dirname, '..')

interface Installed {
  readonly family: string
  /** Names for `local()` by weight. The first one is measured. */
  readonly faces: Readonly<Record<number, readonly string[]>>
  /** Our font's width divided by this one's, by weight, for a font that cannot be measured here. */
  readonly known?: Readonly<Record<number, number>>
  /** Correction of the average by weight, for a font whose width is mostly in digits and spaces. */
  readonly nudged?: Readonly<Record<number, number>>
}

interface Ours {
  readonly name: string
  readonly file: string
  /**
   * Its digits and pound sign, which all have the same width, get a face of their own, because prices are in narrow
   * cards.
   */
  readonly figures?: true
  readonly fallbacks: readonly Installed[]
}

const regular = (...names: string[]) => ({ 400: names, 500: names })

const OURS: readonly Ours[] = [
  {
    name: 'Newsreader',
    file: 'src/ui/fonts/newsreader-latin-wght-normal.woff2',
    fallbacks: [
      {
        family: 'Newsreader Fallback',
        faces: regular('Georgia', 'Gelasio'),
        known: { 400: 0.9592, 500: 0.9809 },
      },
      {
        family: 'Newsreader on Noto',
        faces: regular('Noto Serif Regular', 'NotoSerif-Regular', 'Noto Serif'),
      },
      { family: 'Newsreader on DejaVu', faces: regular('DejaVu Serif') },
      { family: 'Newsreader on Times', faces: regular('Liberation Serif', 'Times New Roman', 'Tinos') },
    ],
  },
  {
    name: 'Source Sans',
    file: 'node_modules/@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2',
    figures: true,
    fallbacks: [
      {
        family: 'Source Sans Fallback',
        faces: {
          400: ['Liberation Sans', 'Arial', 'Arimo'],
          600: ['Liberation Sans Bold', 'Arial Bold', 'Arimo Bold'],
        },
      },
      {
        family: 'Source Sans on Roboto',
        faces: { 400: ['Roboto', 'Roboto Regular', 'Roboto-Regular'], 600: ['Roboto Bold', 'Roboto-Bold'] },
      },
      {
        family: 'Source Sans on DejaVu',
        faces: { 400: ['DejaVu Sans'], 600: ['DejaVu Sans Bold'] },
        // At the average width, lines of its text would break one word later than ours (bench/browser/shifts.ts).
        nudged: { 400: 1.02 },
      },
    ],
  },
]

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage()
const words = ourWords()
const rules: string[] = []
for (const { file, figures, fallbacks } of OURS) {
  const ours = `url(data:font/woff2;base64,${readFileSync(join(ROOT, file)).toString('base64')})`
  for (const { family, faces, known, nudged } of fallbacks)
    for (const [weight, names] of Object.entries(faces)) {
      const rule = async (texts: readonly string[], correction: number, range?: string) => {
        const real = await measure(page, ours, '100 900', Number(weight), texts)
        const average =
          known?.[Number(weight)] ??
          real.width / (await measure(page, `local("${names[0]}")`, 'normal', 400, texts)).width
        const ratio = average * correction
        rules.push(`@font-face {
  font-family: '${family}';
  src: ${names.map((name) => `local('${name}')`).join(', ')};
  font-weight: ${weight};${range ? `\n  unicode-range: ${range};` : ''}
  size-adjust: ${percent(ratio)};
  ascent-override: ${percent(real.ascent / ratio)};
  descent-override: ${percent(real.descent / ratio)};
  line-gap-override: 0%;
}`)
      }
      await rule(words, nudged?.[Number(weight)] ?? 1)
      if (figures) await rule(['£0123456789'], 1, 'U+0030-0039, U+00A3')
    }
}
await browser.close()
const css = `/* Written by \`npm run fonts\` (tools/fallback-faces.ts). */\n${rules.join('\n')}\n`
const out = join(ROOT, 'src/ui/fallbacks.css')
writeFileSync(out, css)
execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), [out])

/** Widths in em over all words; the line box in em. */
async function measure(on: Page, source: string, weights: string, weight: number, texts: readonly string[]) {
  return on.evaluate(
    async ([src, range, wght, all]) => {
      const name = `face-${document.fonts.size}`
      const face = new FontFace(name, src, { weight: range })
      // Throws on a machine without the font.
      await face.load()
      document.fonts.add(face)
      const context = document.createElement('canvas').getContext('2d')!
      context.font = `${wght} 1000px ${name}`
      const box = context.measureText('x')
      return {
        width: all.reduce((sum, text) => sum + context.measureText(text).width, 0) / 1000,
        ascent: box.fontBoundingBoxAscent / 1000,
        descent: box.fontBoundingBoxDescent / 1000,
      }
    },
    [source, weights, weight, texts] as const,
  )
}

/** Sample text: the sentences of the demo shop. */
function ourWords(): string[] {
  const folder = join(ROOT, 'content/demo')
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    if (/\.(?:md|html)$/.test(name)) return [readFileSync(join(folder, name), 'utf8')]
    return name.endsWith('.json') ? sentencesIn(JSON.parse(readFileSync(join(folder, name), 'utf8'))) : []
  })
  return texts
    .flatMap((text) => text.replace(/<[^>]*>|[#*_]/g, ' ').split('\n'))
    .map((line) => line.trim())
    .filter((line) => line.length > 40)
    .slice(0, 1_500)
}

function sentencesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : []
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(2)}%`
}
