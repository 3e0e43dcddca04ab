import { cover, thumbnail } from './covers/draw-cover.ts'
import type { CompositionName } from './covers/composition.ts'
import { coloursFor } from './covers/palette.ts'
import { coverId, type CoverSource } from './covers/render.ts'
import type { Format } from './format.ts'
import type { FoundEbook, FoundTitle } from './found.ts'

export interface PlannedCover {
  readonly format: Format
  readonly id: string
  readonly source: CoverSource
  /** Undefined if the owner's picture is used. */
  readonly composition: CompositionName | undefined
}

interface CoverFor {
  readonly found: FoundTitle
  readonly slug: string
  readonly title: string
  readonly author: string
  readonly epub: FoundEbook | undefined
  readonly isAudio: boolean
  readonly isEbook: boolean
  readonly compositionFor: CompositionFor
}

export type CompositionFor = (slug: string, format: Format) => CompositionName

/** The owner's picture if there is one, else a drawing in the title's colours. */
export function planCover({ found, slug, title, author, epub, isAudio, isEbook, compositionFor }: CoverFor) {
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

  const covers = formats.map((format): PlannedCover => {
    const picture = pictures[format]
    if (picture) return { format, id: coverId({ picture }), source: { picture }, composition: undefined }
    const composition = compositionFor(slug, format)
    const drawing = { slug, title, author, format, colours: colours ?? {}, composition }
    const source = { picture: Buffer.from(cover(drawing)), thumbnail: Buffer.from(thumbnail(drawing)) }
    return { format, id: coverId(source), source, composition }
  })
  return {
    covers,
    colours: {
      backgroundColour: colours?.background ?? null,
      containerColour: colours?.container ?? null,
      textColour: colours?.text ?? null,
    },
    idOf: (format: Format): string => covers.find((each) => each.format === format)!.id,
  }
}
