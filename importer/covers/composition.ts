import type { Palette } from './palette.ts'
import type { Random } from './random.ts'
import type { Box, Room } from './set-type.ts'

/** 600×600, or 600×900 with a spine. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly palette: Palette
  readonly random: Random
  readonly letter: string
  /** Prefix for SVG ids, unique on a page with several covers. */
  readonly id: string
}

export interface Composition {
  /** Best first. The type is set before `draw`, which then avoids it. */
  rooms(sheet: Sheet): Room[]
  draw(sheet: Sheet, type: Box): Drawing
}

export interface Drawing {
  readonly art: string
  /** Shown instead of the cover below 96 px. */
  readonly crop: Crop
}

export interface Crop {
  readonly x: number
  readonly y: number
  readonly size: number
}

export function cropAround(sheet: Sheet, x: number, y: number, size: number): Crop {
  const moved = (centre: number, low: number, high: number) =>
    Math.max(low, Math.min(high - size, centre - size / 2))
  return { x: moved(x, sheet.left, sheet.width), y: moved(y, 0, sheet.height), size }
}

export const MARGIN = 44

/** One decimal is a third of a pixel in the largest rendition. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

export const atFoot = ({ width, height, left }: Sheet, room: Partial<Room> = {}): Room => ({
  x: left + MARGIN,
  width: width - left - 2 * MARGIN,
  from: 'bottom',
  edge: height - MARGIN,
  height: height / 2 - MARGIN,
  largest: 90,
  ...room,
})

export const atHead = (sheet: Sheet, room: Partial<Room> = {}): Room => ({
  ...atFoot(sheet),
  from: 'top',
  edge: MARGIN + 4,
  ...room,
})
