import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import subsetFont from 'subset-font'

/**
 * Writes src/ui/fonts: Newsreader with every glyph of its packages, but only the weights in use. Run it after an update
 * of the package. Source Sans 3 is not changed, because its licence reserves the name for unmodified files.
 */
const PACKAGE = join(import.meta.dirname, '../node_modules/@fontsource-variable/newsreader')
const FONTS = join(import.meta.dirname, '../src/ui/fonts')
/** The italic is only used in running text and headlines, which have the same weight. */
const WEIGHTS = {
  'latin-wght-normal': { min: 400, max: 700 },
  'latin-ext-wght-normal': { min: 400, max: 700 },
  'latin-wght-italic': 400,
}

for (const [face, wght] of Object.entries(WEIGHTS)) {
  const name = `newsreader-${face}.woff2`
  const font = await subsetFont(readFileSync(join(PACKAGE, 'files', name)), '', {
    targetFormat: 'woff2',
    keepAllGlyphs: true,
    variationAxes: { wght },
  })
  writeFileSync(join(FONTS, name), font)
  console.log(`${name}: ${font.length} bytes`)
}
copyFileSync(join(PACKAGE, 'LICENSE'), join(FONTS, 'LICENSE'))
