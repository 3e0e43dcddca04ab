import type { Palette } from './palette.ts'
import { hash32, type Random } from './random.ts'
import type { Box, Room } from './set-type.ts'

/** The paper a cover is drawn on: 600×600, or 600×900 with a spine. */
export interface Sheet {
  readonly width: number
  readonly height: number
  /** Where the drawing begins: right of the spine. */
  readonly left: number
  readonly palette: Palette
  readonly random: Random
  /** The first letter that stands for the title. */
  readonly letter: string
  /** Unique in a page of several covers. */
  readonly id: string
}

export interface Composition {
  /** Asked first, dearest room first: the type is set, then the drawing keeps clear of it. */
  rooms(sheet: Sheet): Room[]
  draw(sheet: Sheet, type: Box): Drawing
}

export interface Drawing {
  /** SVG elements over the ground. */
  readonly art: string
  /** The square of it that stands for the cover below 96 px, without type. */
  readonly crop: Crop
}

export interface Crop {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** A square around a point, moved to lie on the drawing. */
export function cropAround(sheet: Sheet, x: number, y: number, size: number): Crop {
  const moved = (centre: number, low: number, high: number) =>
    Math.max(low, Math.min(high - size, centre - size / 2))
  return { x: moved(x, sheet.left, sheet.width), y: moved(y, 0, sheet.height), size }
}

export const MARGIN = 44

export const COMPOSITIONS = ['flock', 'tide', 'window', 'initial', 'fold', 'orbit'] as const
export type CompositionName = (typeof COMPOSITIONS)[number]

/** A title's own composition, where no neighbour matches. */
export const compositionOf = (slug: string): CompositionName => COMPOSITIONS[ofSlug(slug)]!

const ofSlug = (slug: string): number => hash32(slug) % COMPOSITIONS.length

/** The composition of each title in a list, in its order: a neighbour that matches takes the next one. */
export function compositionsOf(slugs: readonly string[]): CompositionName[] {
  let before: CompositionName | undefined
  return slugs.map((slug) => (before = compositionAfter(before, slug)))
}

/** One step of `compositionsOf`: the composition of a title that stands after another. */
export function compositionAfter(before: CompositionName | undefined, slug: string): CompositionName {
  const own = ofSlug(slug)
  const same = COMPOSITIONS[own] === before
  return COMPOSITIONS[same ? (own + 1) % COMPOSITIONS.length : own]!
}

/** One decimal is a third of a pixel at the largest rendition. */
export const n = (value: number): string => String(Math.round(value * 10) / 10)

/** Type at the foot: the left column unless told otherwise. */
export const atFoot = ({ width, height, left }: Sheet, room: Partial<Room> = {}): Room => ({
  x: left + MARGIN,
  width: width - left - 2 * MARGIN,
  from: 'bottom',
  edge: height - MARGIN,
  height: height / 2 - MARGIN,
  largest: 90,
  ...room,
})

/** Type at the head. */
export const atHead = (sheet: Sheet, room: Partial<Room> = {}): Room => ({
  ...atFoot(sheet),
  from: 'top',
  edge: MARGIN + 4,
  ...room,
})
