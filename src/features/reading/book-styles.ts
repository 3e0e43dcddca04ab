import extended from '#ui/fonts/newsreader-latin-ext-wght-normal.woff2?url'
import italic from '#ui/fonts/newsreader-latin-wght-italic.woff2?url'
import upright from '#ui/fonts/newsreader-latin-wght-normal.woff2?url'
import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2?url'
import type { Look, Margins, Scheme, Spacing, Typeface } from './model.ts'

interface Paper {
  readonly paper: string
  readonly ink: string
  readonly quiet: string
  readonly accent: string
  readonly line: string
}

/** The colours of the page and the bars around it. */
export const PAPERS: Readonly<Record<Scheme, Paper>> = {
  light: { paper: '#fbfbf9', ink: '#171a24', quiet: '#4a4f5e', accent: '#4a3a91', line: '#dadbd5' },
  dark: { paper: '#11131a', ink: '#e4e3dc', quiet: '#b9bcc6', accent: '#b8abf2', line: '#2d3240' },
  sepia: { paper: '#f4ead6', ink: '#3b2f22', quiet: '#64543f', accent: '#7a3e12', line: '#ddcdb0' },
}

export const paperStyle = (scheme: Scheme) => {
  const { paper, ink, quiet, accent, line } = PAPERS[scheme]
  return {
    '--paper': paper,
    '--surface': paper,
    '--raised': paper,
    '--ink': ink,
    '--ink-2': quiet,
    '--line-strong': quiet,
    '--accent': accent,
    '--focus': accent,
    '--line': line,
    colorScheme: scheme === 'dark' ? 'dark' : 'light',
  }
}

const READING_FONT = 'Shop Reading'
const SANS_FONT = 'Shop Sans'

/** Typefaces that override the book's own; the wide one is a system font, which needs no download. */
const FAMILIES: Readonly<Record<Exclude<Typeface, 'book'>, string>> = {
  newsreader: `'${READING_FONT}', Georgia, serif`,
  sans: `'${SANS_FONT}', 'Segoe UI', Arial, sans-serif`,
  wide: `Verdana, 'DejaVu Sans', 'Noto Sans', sans-serif`,
}

const LINE_HEIGHTS: Readonly<Record<Exclude<Spacing, 'book'>, number>> = { tight: 1.35, open: 1.9 }

/**
 * Side margins as a share of the page's width, and the maximum line length in ems: about 66 characters in the
 * middle setting.
 */
export const MARGINS_AS_DRAWN: Readonly<Record<Margins, { readonly gap: string; readonly ems: number }>> = {
  narrow: { gap: '3%', ems: 42 },
  usual: { gap: '6%', ems: 34 },
  wide: { gap: '11%', ems: 26 },
}

/** Each is fetched only by a book that uses it. Same faces as in `#ui/fonts.css`. */
export const READING_FACES: readonly (readonly [family: string, url: string, how: FontFaceDescriptors])[] = [
  [READING_FONT, upright, { weight: '400 700' }],
  [SANS_FONT, sans, { weight: '200 900' }],
  [READING_FONT, italic, { weight: '400', style: 'italic' }],
  [
    READING_FONT,
    extended,
    {
      weight: '400 700',
      unicodeRange:
        'U+0100-0130, U+0132-0151, U+0154-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, ' +
        'U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
    },
  ],
]

/**
 * The reader's settings, which override the book's own styles. On light paper a book keeps its colours; on
 * other paper they would be unreadable.
 */
export function bookStyles({ typeSize, typeface, spacing, align }: Look, scheme: Scheme): string {
  const { paper, ink, accent } = PAPERS[scheme]
  return `
    html {
      --theme-bg-color: ${paper};
      background: ${paper} !important;
      color: ${ink} !important;
      color-scheme: ${scheme === 'dark' ? 'dark' : 'light'};
      font-size: ${typeSize}px !important;
      -webkit-text-size-adjust: none;
    }
    :where(html) { font-family: '${READING_FONT}', Georgia, serif; line-height: 1.6; }
    body { font-size: 1rem !important; color: inherit !important; background: none !important; }
    :where(p, li, dd, blockquote) { line-height: 1.6; }
    p, li, dd, blockquote { hyphens: auto; orphans: 2; widows: 2; }
    a:any-link { color: ${accent} !important; }
    pre { white-space: pre-wrap !important; }
    table { max-width: 100% !important; }
    ${spacing === 'book' ? '' : `body, p, li, dd, blockquote { line-height: ${LINE_HEIGHTS[spacing]} !important; }`}
    ${align === 'book' ? '' : `p, li, dd, blockquote { text-align: ${align === 'left' ? 'start' : 'justify'} !important; }`}
    ${typeface === 'book' ? '' : `body, body *:not(pre, pre *, code, code *) { font-family: ${FAMILIES[typeface]} !important; }`}
    ${
      scheme === 'light'
        ? ''
        : `body *:not(a, a *, img, svg, svg *) {
             color: inherit !important;
             background-color: transparent !important;
             border-color: currentColor !important;
           }`
    }`
}
