import { type Colour, colourOf, contrast, INK, lighter, lightness, mix, WHITE } from '#server/colour.ts'
import { hash32 } from './random.ts'

/** `#RRGGBB`. Missing and invalid ones are replaced. */
export interface TitleColours {
  readonly background?: string | null
  readonly container?: string | null
  readonly text?: string | null
  readonly accents?: readonly string[]
}

export interface Palette {
  readonly ground: Colour
  readonly accent: Colour
  readonly text: Colour
}

/** Contrast that WCAG AA requires for text of any size. */
const READABLE = 4.5
/** In lightness. Keeps the cover's edge visible on the title's band. */
const OFF_THE_BAND = 0.085
const VISIBLE = 1.7

export function paletteOf(colours: TitleColours): Palette {
  const band = colourOf(colours.background) ?? INK
  const wanted = colourOf(colours.text) ?? better(band)
  const up = lightness(band) < 0.5 ? OFF_THE_BAND : -OFF_THE_BAND
  const grounds = [lighter(band, up), lighter(band, -up)]
  const ground = grounds.find((candidate) => contrast(candidate, wanted) >= READABLE) ?? grounds[0]!
  const text = contrast(ground, wanted) >= READABLE ? wanted : better(ground)
  const readable = contrast(ground, text) >= READABLE ? ground : until(READABLE, ground, text)
  return { ground: readable, text, accent: accentOn(readable, text, colours.accents ?? []) }
}

/** The same for the same slug, and varied across a shop. */
export function coloursFor(slug: string): Required<TitleColours> {
  const [background, container, text, accent] = HOUSE[hash32(`colours of ${slug}`) % HOUSE.length]!
  return { background, container, text, accents: [accent] }
}

const HOUSE: readonly (readonly [background: string, container: string, text: string, accent: string])[] = [
  ['#1F3D43', '#17313A', '#F3E4C8', '#E2764A'],
  ['#2B2440', '#221C34', '#F0E6F2', '#F0B541'],
  ['#8F2B25', '#7A231E', '#FBEFE2', '#E08A6B'],
  ['#DCCDB0', '#D1C09F', '#2A2A22', '#B8452F'],
  ['#EBBFB2', '#E3AFA0', '#3A1C2B', '#7A2E55'],
  ['#1D315C', '#16274B', '#EEF1F6', '#6FA3C8'],
  ['#43542E', '#384726', '#F3F0DA', '#E0674B'],
  ['#BFD3D1', '#AFC7C5', '#173033', '#1F5A5E'],
  ['#3F4C57', '#35414B', '#F0F2EE', '#8FB6CB'],
  ['#5A3A6C', '#4B2F5B', '#F6ECF5', '#E9B7A0'],
]

const better = (ground: Colour): Colour => (contrast(ground, WHITE) >= contrast(ground, INK) ? WHITE : INK)

function until(least: number, ground: Colour, text: Colour): Colour {
  const away = text === WHITE ? -0.02 : 0.02
  let candidate = ground
  for (let step = 0; step < 50 && contrast(candidate, text) < least; step++)
    candidate = lighter(candidate, away)
  return candidate
}

function accentOn(ground: Colour, text: Colour, given: readonly string[]): Colour {
  const accents = given.map(colourOf).filter((colour) => colour !== undefined)
  const accent =
    accents.find((colour) => contrast(colour, ground) >= VISIBLE) ?? accents[0] ?? mix(ground, text, 0.6)
  for (let share = 0; share <= 1; share += 0.1) {
    const candidate = mix(accent, text, share)
    if (contrast(candidate, ground) >= VISIBLE) return candidate
  }
  return text
}
