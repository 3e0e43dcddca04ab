import { type Colour, colourOf, contrast, hex, INK, lighter, lightness, mix, WHITE } from '../colour.ts'

/** An owner's three colours (docs/design.md, Colour), each optional. */
export interface OwnersColours {
  paper?: string
  accent?: string
  button?: string
}

const OURS = { paper: '#f6f6f3', accent: '#4a3a91', button: '#f4c63a' } as const
/** Dark backgrounds keep their lightness and take the accent's hue. */
const DARK = {
  paper: '#11131a',
  surface: '#1a1d27',
  sunken: '#0b0d12',
  raised: '#232734',
  line: '#2d3240',
  'line-strong': '#747a8b',
} as const
const INKS = { light: ['#171a24', '#4a4f5e', '#626878'], dark: ['#f1f0ea', '#b9bcc6', '#9499a7'] } as const

const parsedColour = (text: string): Colour => colourOf(text)!
const given = (colours: OwnersColours, which: keyof typeof OURS): Colour =>
  colourOf(colours[which]) ?? parsedColour(OURS[which])

export function groundsOf(colours: OwnersColours | undefined): { light: string; dark: string } {
  if (!colours) return { light: '#F6F6F3', dark: '#11131A' }
  return { light: hex(given(colours, 'paper')), dark: hex(tinted(DARK.paper, colours)) }
}

export const accentOf = (colours: OwnersColours | undefined): string => colours?.accent ?? OURS.accent

/** The design tokens of `src/ui/tokens.css` that depend on the three colours, as a stylesheet. */
export function tokensOf(colours: OwnersColours): string {
  const tokens = Object.entries(pairsOf(colours)).map(([name, [light, dark]]) => {
    // The same form that Lightning CSS gives `light-dark()`: browsers without it understand variables.
    const value =
      hex(light) === hex(dark)
        ? hex(light)
        : `var(--lightningcss-light,${hex(light)}) var(--lightningcss-dark,${hex(dark)})`
    return `--${name}:${value}`
  })
  // `:root` twice, for a higher specificity than the linked stylesheet on pages that the browser renders.
  return `:root:root{${tokens.join(';')}}`
}

function pairsOf(colours: OwnersColours): Record<string, readonly [light: Colour, dark: Colour]> {
  const paper = given(colours, 'paper')
  const accent = given(colours, 'accent')
  const button = given(colours, 'button')
  const atNightIs = (name: keyof typeof DARK) => tinted(DARK[name], colours)
  const groundAtNight = (name: keyof typeof DARK) => darkEnough(atNightIs(name))
  const night = {
    paper: groundAtNight('paper'),
    surface: groundAtNight('surface'),
    sunken: groundAtNight('sunken'),
    raised: groundAtNight('raised'),
    line: atNightIs('line'),
    'line-strong': atNightIs('line-strong'),
  }
  const atNight = readable(accent, night.raised, 6)
  const buttonWords = wordsOn(button)
  return {
    paper: [paper, night.paper],
    surface: [WHITE, night.surface],
    sunken: [sunken(paper), night.sunken],
    raised: [WHITE, night.raised],
    line: [lighter(paper, -0.1), night.line],
    'line-strong': [parsedColour('#7d828e'), night['line-strong']],
    accent: [accent, atNight],
    focus: [accent, atNight],
    'on-accent': [wordsOn(accent), INK],
    'accent-soft': [mix(paper, accent, 0.09), mix(night.paper, accent, 0.35)],
    ...houseOf(accent),
    beak: [button, button],
    'on-beak': [buttonWords, buttonWords],
    footer: [tinted('#171a24', colours), night.sunken],
    'footer-field': [night.raised, night.raised],
  }
}

/** WCAG requires 4.5; the rest allows for rounding to whole channel values. */
const READS = 4.6

/** The tokens in light and dark, for a preview. */
export const pairsInHex = (colours: OwnersColours): Record<string, readonly [light: string, dark: string]> =>
  Object.fromEntries(
    Object.entries(pairsOf(colours)).map(([name, [light, dark]]) => [name, [hex(light), hex(dark)]]),
  )

/** Colours of the membership screens' band (`src/ui/title-theme.ts`), the same in light and dark mode. */
function houseOf(accent: Colour): Record<string, readonly [Colour, Colour]> {
  const words = wordsOn(accent)
  const box = mix(accent, words === WHITE ? INK : WHITE, 0.16)
  let quiet = mix(accent, words, 0.78)
  for (let share = 0.8; contrast(quiet, accent) < READS && share <= 1; share += 0.02)
    quiet = mix(accent, words, share)
  return {
    house: [accent, accent],
    'house-box': [box, box],
    'house-words': [words, words],
    'house-quiet': [quiet, quiet],
  }
}

export interface Faint {
  readonly which: keyof typeof OURS
  readonly says: string
  readonly nearest: string
}

/** The colours that have too little contrast in light or dark mode (WCAG 2.2, 1.4.3 and 1.4.11). */
export function faintOf(colours: OwnersColours): Faint[] {
  const found: Faint[] = []
  const now = { ...colours }
  for (const which of ['paper', 'accent', 'button'] as const) {
    const says = faultOf(which, now)
    if (!says) continue
    const nearest = nearestOf(which, now)
    found.push({ which, says, nearest })
    // The remaining colours are checked against the suggested one.
    now[which] = nearest
  }
  return found
}

function faultOf(which: keyof typeof OURS, colours: OwnersColours): string | undefined {
  const pairs = pairsOf(colours)
  const least = (inks: readonly Colour[], grounds: readonly Colour[]) =>
    Math.min(...inks.flatMap((ink) => grounds.map((ground) => contrast(ink, ground))))
  const at = (index: 0 | 1, ...names: string[]) => names.map((name) => pairs[name]![index])
  const wrong = (reached: number, asked: number, what: string) =>
    reached < asked ? `${what} at ${Math.floor(reached * 10) / 10}:1; ${asked}:1 is needed` : undefined
  if (which === 'paper')
    return (
      wrong(least(INKS.light.map(parsedColour), at(0, 'paper', 'sunken')), 4.5, 'small text reads on it') ??
      wrong(least(at(0, 'line-strong'), at(0, 'paper')), 3, 'the edges of fields stand out')
    )
  if (which === 'button') return wrong(least(at(0, 'on-beak'), at(0, 'beak')), 4.5, 'its words read')
  return (
    wrong(least(at(0, 'accent'), at(0, 'paper', 'sunken', 'accent-soft')), 4.5, 'links read on paper') ??
    wrong(least(at(0, 'on-accent'), at(0, 'accent')), 4.5, 'words on it read') ??
    wrong(least(at(1, 'accent'), at(1, 'paper', 'raised', 'accent-soft')), 4.5, 'links read at night') ??
    wrong(
      least(INKS.dark.map(parsedColour), at(1, 'paper', 'surface', 'raised', 'sunken')),
      4.5,
      'small text reads at night',
    )
  )
}

/** Tries lighter and darker colours and takes the closest that passes. */
function nearestOf(which: keyof typeof OURS, colours: OwnersColours): string {
  for (let step = 0.005; step <= 1; step += 0.005)
    for (const way of [-1, 1]) {
      const tried = hex(lighter(given(colours, which), way * step))
      if (!faultOf(which, { ...colours, [which]: tried })) return tried
    }
  return OURS[which]
}

const sunken = (paper: Colour): Colour => lighter(paper, -0.025)
const wordsOn = (ground: Colour): Colour => (contrast(WHITE, ground) >= contrast(INK, ground) ? WHITE : INK)

function readable(colour: Colour, ground: Colour, least: number): Colour {
  let tried = colour
  for (let step = 0.01; contrast(tried, ground) < least && step < 1; step += 0.01)
    tried = lighter(colour, step)
  return tried
}

/** A yellow or green is brighter than our blue at the same lightness, so darken it until small text is legible. */
function darkEnough(ground: Colour): Colour {
  const quiet = parsedColour(INKS.dark.at(-1)!)
  let tried = ground
  for (let step = 0.005; contrast(quiet, tried) < 4.5 && step < 0.2; step += 0.005)
    tried = lighter(ground, -step)
  return tried
}

/** One of our tones in the hue of the owner's accent, with its own lightness and saturation. */
function tinted(tone: string, colours: OwnersColours): Colour {
  if (!colours.accent) return parsedColour(tone)
  const [from, by] = [parsedColour(tone), given(colours, 'accent')]
  const strength = (colour: Colour) => Math.max(...colour) - Math.min(...colour)
  if (strength(by) === 0) return lighter([128, 128, 128], lightness(from) - lightness([128, 128, 128]))
  const part = (value: number) =>
    (lightness(from) + ((value / 255 - lightness(by)) * strength(from)) / strength(by)) * 255
  return [part(by[0]), part(by[1]), part(by[2])]
}
