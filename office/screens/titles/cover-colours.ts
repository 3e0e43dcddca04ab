import { contrastOf, titleTheme } from '#ui/title-theme.ts'

export interface CoverColours {
  readonly backgroundColour: string
  readonly containerColour: string
  readonly textColour: string
}

interface Tone {
  readonly hex: string
  readonly rgb: readonly [red: number, green: number, blue: number]
  readonly count: number
}

/** Closer colours count as one. */
const LEAST_APART = 48
const MOST = 6
const READABLE = 4.5

/**
 * Colours for a title's band, box and text, taken from its cover, the most fitting first. All of them can be read.
 *
 * @param pixels RGBA, as a canvas returns them
 */
export function coloursFrom(pixels: Uint8ClampedArray): CoverColours[] {
  const tones = tonesOf(pixels)
  return tones.map((band) => {
    const [text] = tones
      .filter(({ hex }) => contrastOf(hex, band.hex) >= READABLE)
      .toSorted((one, other) => contrastOf(other.hex, band.hex) - contrastOf(one.hex, band.hex))
    const theme = titleTheme(band.hex, undefined, text?.hex)
    return {
      backgroundColour: theme['--title-bg'],
      containerColour: theme['--title-container'],
      textColour: theme['--title-text'],
    }
  })
}

function tonesOf(pixels: Uint8ClampedArray): Tone[] {
  const bins = new Map<number, { red: number; green: number; blue: number; count: number }>()
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!]
    const key = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4)
    const bin = bins.get(key) ?? { red: 0, green: 0, blue: 0, count: 0 }
    bins.set(key, {
      red: bin.red + red,
      green: bin.green + green,
      blue: bin.blue + blue,
      count: bin.count + 1,
    })
  }
  const tones = [...bins.values()].map(({ red, green, blue, count }): Tone => {
    const rgb = [red, green, blue].map((sum) => Math.round(sum / count))
    const hex = `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`
    return { hex, rgb: [rgb[0]!, rgb[1]!, rgb[2]!], count }
  })
  const apart: Tone[] = []
  for (const tone of tones.toSorted((one, other) => weightOf(other) - weightOf(one)))
    if (apart.length < MOST && apart.every((each) => distance(each, tone) >= LEAST_APART)) apart.push(tone)
  return apart
}

/** A cover is remembered for its colour, not for its white margin. */
const weightOf = ({ rgb, count }: Tone): number =>
  count * (0.35 + (Math.max(...rgb) - Math.min(...rgb)) / 255)

const distance = ({ rgb: one }: Tone, { rgb: other }: Tone): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
