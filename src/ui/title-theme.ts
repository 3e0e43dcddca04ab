import type { CSSProperties } from 'react'

export type TitleTheme = {
  '--title-bg': string
  '--title-container': string
  '--title-text': string
  '--title-muted': string
}

/**
 * A title's own colours, made readable: background, container, text and muted text, as custom properties for
 * `style`. Colours are `RRGGBB` with or without `#`; anything else counts as missing. Text and muted text
 * have a contrast of at least 4.5:1 on both backgrounds (docs/design.md, Colour).
 */
export function titleTheme(bg?: string | null, container?: string | null, text?: string | null): TitleTheme {
  const known = parse(bg)
  let ground = known ?? INK
  const wanted = known ? (parse(text) ?? readableOn(ground)) : WHITE
  let box = (known && parse(container)) ?? mix(ground, wanted, 0.12)

  const keeps = contrast(wanted, ground) >= 4.5 && contrast(wanted, box) >= 4.5
  const words = keeps ? wanted : readableOn(ground)
  if (!keeps) {
    ground = stepAway(ground, words, 0.04)
    box = stepAway(box, words, 0.06)
  }
  return {
    '--title-bg': hex(ground),
    '--title-container': hex(box),
    '--title-text': hex(words),
    '--title-muted': hex(muted(words, ground, box)),
  }
}

/** WCAG contrast of two `RRGGBB` colours; 1 if either is invalid. */
export const contrastOf = (one: string, other: string) => {
  const a = parse(one)
  const b = parse(other)
  return a && b ? contrast(a, b) : 1
}

/** Light text on a dark ground. */
export const isDark = ({ '--title-bg': ground, '--title-text': text }: TitleTheme) =>
  contrastOf(text, '#000000') > contrastOf(ground, '#000000')

type Rgb = readonly [red: number, green: number, blue: number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const INK: Rgb = [0x17, 0x1a, 0x24]

function parse(colour: string | null | undefined): Rgb | undefined {
  const digits = /^#?([0-9a-f]{6})$/i.exec(colour?.trim() ?? '')?.[1]
  if (!digits) return undefined
  const number = Number.parseInt(digits, 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

const hex = (colour: Rgb) =>
  `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/** Rounded to whole bytes at every step, so that the measured colours are the painted ones. */
const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  Math.round(from[0] * (1 - share) + to[0] * share),
  Math.round(from[1] * (1 - share) + to[1] * share),
  Math.round(from[2] * (1 - share) + to[2] * share),
]

const linear = (byte: number) => {
  const part = byte / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const luminance = ([red, green, blue]: Rgb) =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

const contrast = (one: Rgb, other: Rgb) => {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const readableOn = (ground: Rgb) => (contrast(WHITE, ground) >= contrast(INK, ground) ? WHITE : INK)

function stepAway(ground: Rgb, words: Rgb, share: number) {
  const away = words === WHITE ? BLACK : WHITE
  let stepped = ground
  while (contrast(words, stepped) < 4.6) stepped = mix(stepped, away, share)
  return stepped
}

function muted(words: Rgb, ground: Rgb, box: Rgb) {
  for (let share = 0.78; share < 1; share += 0.02) {
    const soft = mix(ground, words, share)
    if (contrast(soft, ground) >= 4.5 && contrast(soft, box) >= 4.5) return soft
  }
  return words
}

/** Typed for `style`, because React's types reject custom properties. */
export const themeStyle = (theme: TitleTheme): CSSProperties => theme

/**
 * The default title colours (`tokens.css`, docs/design.md, Screens), or those derived from an owner's accent.
 */
export const HOUSE: TitleTheme = {
  '--title-bg': 'var(--house)',
  '--title-container': 'var(--house-box)',
  '--title-text': 'var(--house-words)',
  '--title-muted': 'var(--house-quiet)',
}
