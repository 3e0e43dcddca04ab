import { cover, thumbnail } from './covers/cover.ts'
import { type CompositionName, compositionAfter } from './covers/composition.ts'
import { coloursFor } from './covers/palette.ts'
import { coverId, type CoverSource } from './covers/render.ts'
import type { Format } from './desired.ts'
import type { FoundEbook, FoundTitle } from './found.ts'

export interface PlannedCover {
  readonly id: string
  readonly source: CoverSource
}

interface CoverFor {
  readonly found: FoundTitle
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly epub: FoundEbook | undefined
  readonly isAudio: boolean
  readonly isEbook: boolean
  /** Composition of the drawn cover before this one. */
  readonly before: CompositionName | undefined
}

/** The owner's picture where there is one, else a drawing in the title's colours. */
export function planCover({ found, slug, title, author, epub, isAudio, isEbook, before }: CoverFor) {
  const embedded = found.sounds.find(({ tags }) => tags.picture)?.tags.picture
  const pictures: Record<Format, Uint8Array | undefined> = {
    audio_book: found.cover ?? embedded ?? epub?.cover,
    e_book: found.ebookCover ?? epub?.cover ?? found.cover,
  }
  const formats: Format[] = [
    ...(isAudio ? (['audio_book'] as const) : []),
    ...(isEbook ? (['e_book'] as const) : []),
  ]
  const drawn = formats.some((format) => !pictures[format])
  const given = found.book?.colours
  const colours = drawn && !given?.background ? coloursFor(slug) : given
  const composition = drawn ? compositionAfter(before, slug) : undefined

  const planned = new Map<Format, PlannedCover>()
  for (const format of formats) {
    const picture = pictures[format]
    const drawing = {
      slug,
      title,
      author,
      format,
      colours: colours ?? {},
      ...(composition ? { composition } : {}),
    }
    const source: CoverSource = picture
      ? { picture }
      : { picture: Buffer.from(cover(drawing)), thumbnail: Buffer.from(thumbnail(drawing)) }
    planned.set(format, { id: coverId(source), source })
  }
  return {
    covers: [...planned.values()],
    composition,
    colours: {
      backgroundColour: colours?.background ?? null,
      containerColour: colours?.container ?? null,
      textColour: colours?.text ?? null,
    },
    idOf: (format: Format): string => planned.get(format)!.id,
  }
}
