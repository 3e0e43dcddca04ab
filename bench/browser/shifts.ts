import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import type { Row } from '../report.ts'
import type { MeasuredApp } from './measured-app.ts'
import { visitFirst } from './paints.ts'

/** Font sets of machines without other fonts, and the Debian packages that contain them. */
const SETS = [
  { name: 'DejaVu', packages: 'fonts-dejavu-core', files: /^DejaVu(Sans|Serif)(-Bold)?\.ttf$/ },
  { name: 'Liberation', packages: 'fonts-liberation', files: /^Liberation(Sans|Serif)-/ },
  {
    name: 'Roboto and Noto Serif',
    packages: 'fonts-roboto-unhinted and fonts-noto-core',
    files: /^(Roboto|NotoSerif)-(Regular|Bold|Italic|BoldItalic)\.ttf$/,
  },
] as const
const FONTS = '/usr/share/fonts'
/** Minimum number of files in a complete set: regular and bold, sans and serif. */
const WHOLE = 4
const VISITS = 2

/** Measures the layout shift of a first visit when only the fonts of a set are installed for the fallback faces. */
export async function measureShifts(
  executablePath: string,
  { url, slowdown }: Pick<MeasuredApp, 'url' | 'slowdown'>,
  pages: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, packages, files } of SETS) {
    const found = fontFiles(files)
    if (found.length < WHOLE) {
      console.log(`${name}: not installed (${packages}), so no shift is measured with it`)
      continue
    }
    const folder = mkdtempSync(join(tmpdir(), 'murmur-fonts-'))
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
      env: { ...process.env, FONTCONFIG_FILE: onlyThese(found, folder) },
    })
    for (const [page, path] of Object.entries(pages)) {
      const shifts: number[] = []
      for (let visit = 0; visit < VISITS; visit++)
        shifts.push((await visitFirst({ browser, url, slowdown }, path)).shift)
      rows.push({
        what: `${page}, layout shift`,
        figures: `${name} alone, worst of ${VISITS}`,
        value: Math.max(...shifts),
        unit: '',
        goal: { most: 0.01 },
      })
    }
    await browser.close()
    rmSync(folder, { recursive: true })
  }
  return rows
}

const fontFiles = (wanted: RegExp): string[] =>
  existsSync(FONTS)
    ? readdirSync(FONTS, { recursive: true, withFileTypes: true })
        .filter((entry) => wanted.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))
    : []

/**
 * Writes a fontconfig file with only these fonts. It includes this machine's rendering settings; without them glyph
 * widths would be rounded to whole pixels.
 */
function onlyThese(files: readonly string[], folder: string): string {
  const fonts = join(folder, 'fonts')
  mkdirSync(fonts)
  files.forEach((file, index) => symlinkSync(file, join(fonts, `${index}.ttf`)))
  const settings = join(folder, 'fonts.conf')
  writeFileSync(
    settings,
    `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${folder}/cache</cachedir><include ignore_missing="yes">/etc/fonts/conf.d</include></fontconfig>`,
  )
  return settings
}
