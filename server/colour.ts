/** sRGB, each channel from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number]

export const INK: Colour = [0x17, 0x1a, 0x24]
export const WHITE: Colour = [255, 255, 255]
export const BLACK: Colour = [0, 0, 0]

export function colourOf(text: string | null | undefined): Colour | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(text ?? '')?.[1]
  if (!digits) return undefined
  const value = Number.parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export const hex = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

export const mix = (first: Colour, second: Colour, share: number): Colour => [
  first[0] + (second[0] - first[0]) * share,
  first[1] + (second[1] - first[1]) * share,
  first[2] + (second[2] - first[2]) * share,
]

export function contrast(first: Colour, second: Colour): number {
  const [one, other] = [luminance(first), luminance(second)]
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

export function luminance(colour: Colour): number {
  const [red, green, blue] = each(colour, (part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const each = ([red, green, blue]: Colour, change: (part: number) => number): Colour => [
  change(red),
  change(green),
  change(blue),
]

export const lightness = (colour: Colour): number => (Math.max(...colour) + Math.min(...colour)) / 510

/** Changes the lightness (HSL) by `step`, from −1 to 1, and keeps hue and saturation. */
export function lighter(colour: Colour, step: number): Colour {
  const now = lightness(colour)
  const target = Math.max(0, Math.min(1, now + step))
  // Saturation is the chroma divided by this span; scale the chroma with it.
  const span = 1 - Math.abs(2 * now - 1)
  const ratio = span === 0 ? 0 : (1 - Math.abs(2 * target - 1)) / span
  return each(colour, (part) => (target + (part / 255 - now) * ratio) * 255)
}
