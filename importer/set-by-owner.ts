import { isDeepStrictEqual } from 'node:util'
import {
  COLUMNS_OF,
  type FieldValues,
  fieldWords,
  isColumnField,
  isListField,
  type ListField,
  valueOf,
} from '#server/features/catalogue/owners-fields.ts'
import { measuredMinutes } from '#server/features/catalogue/chapters.ts'
import type { LogbookValue } from '#server/db/schema/logbook.ts'
import { formatPounds } from '#server/format.ts'
import type { DesiredBook, DesiredChapter, Plan } from './desired.ts'

export interface KeptBook {
  readonly book: DesiredBook
  readonly left: readonly string[]
  /** What the folder says about the fields that the owner set. */
  readonly says: FieldValues
  readonly note?: string
}

interface OfShop {
  readonly book: DesiredBook
  readonly setByOwner: readonly string[]
  readonly stateByCommand: string | null
}

/** They take precedence over the folder until `titles follow`. `isPriced`: the folder has a price. */
export function keepOwnersFields(
  wanted: DesiredBook,
  { book: existing, setByOwner, stateByCommand }: OfShop,
  plan: Pick<Plan, 'publisher' | 'series'>,
  isPriced: boolean,
): KeptBook {
  const left: string[] = []
  const says: Record<string, LogbookValue> = {}
  const differing: { readonly field: string; readonly said: string }[] = []
  const kept: Partial<Record<string, unknown>> = {}
  for (const field of setByOwner) {
    if (isColumnField(field)) {
      left.push(field)
      const [said, stands] = [valueOf({ ...wanted }, field), valueOf({ ...existing }, field)]
      const isSaid = field === 'price' ? isPriced : field === 'file' ? wanted.fileId !== null : true
      if (isSaid) says[field] = said
      if (isSaid && !isDeepStrictEqual(said, stands))
        differing.push({
          field,
          said:
            field === 'price'
              ? `price (${pricesOf(existing)}; the folder says ${pricesOf(wanted)})`
              : fieldWords(field),
        })
      for (const column of COLUMNS_OF[field]) kept[column] = existing[column]
      if (field === 'price') kept.published = wanted.state === 'on-sale'
    } else if (isListField(field)) {
      left.push(field)
      says[field] = listIn(wanted, field, plan)
      if (!isDeepStrictEqual(wanted[field], existing[field]))
        differing.push({ field, said: fieldWords(field) })
      kept[field] = existing[field]
    }
  }
  const isMeasured = wanted.lengthMinutes === measuredMinutes(wanted.chapters)
  if (setByOwner.includes('chapters') && isMeasured) kept.lengthMinutes = existing.lengthMinutes
  if (
    (setByOwner.includes('chapters') && existing.chapters.length > 0) ||
    (setByOwner.includes('file') && existing.fileId !== null)
  )
    kept.deliverable = true
  const chapters = setByOwner.includes('chapters')
    ? existing.chapters
    : wanted.chapters.map((chapter, index) => {
        const field = `chapter ${index + 1}`
        const before = existing.chapters[index]
        if (!setByOwner.includes(field) || !before) return chapter
        left.push(field)
        if (before.soundId !== chapter.soundId) differing.push({ field, said: `the sound of ${field}` })
        return {
          ...chapter,
          soundId: before.soundId,
          durationMs: before.durationMs,
        } satisfies DesiredChapter
      })
  if (stateByCommand) {
    left.push('state')
    if (wanted.state !== stateByCommand && (wanted.state !== 'on-sale' || stateByCommand === 'on-sale'))
      differing.push({ field: 'state', said: `state (${stateByCommand}; the folder says ${wanted.state})` })
    if (stateByCommand === 'on-sale') kept.published = isPriced || setByOwner.includes('price')
  }
  return {
    book: { ...wanted, ...kept, chapters },
    left,
    says,
    ...(differing.length > 0 ? { note: noteOf(wanted.slug, differing) } : {}),
  }
}

function listIn(
  wanted: DesiredBook,
  field: ListField,
  { publisher, series }: Pick<Plan, 'publisher' | 'series'>,
): LogbookValue {
  if (field === 'publisher') return publisher?.name ?? null
  if (field === 'series')
    return wanted.series.map((place) => ({
      ...place,
      title: series.find(({ slug }) => slug === place.slug)?.title ?? place.slug,
    }))
  if (field === 'chapters') return wanted.chapters.map((chapter) => ({ ...chapter }))
  return wanted[field]
}

function noteOf(slug: string, differing: readonly { field: string; said: string }[]): string {
  const commands = differing.map(({ field }) => `npm run titles -- follow ${slug} ${field}`)
  return `Left as you set it: ${differing.map(({ said }) => said).join(', ')}. To take the folder’s: ${commands.join('; ')}`
}

const pricesOf = ({ priceMinor, memberPriceMinor }: DesiredBook): string =>
  `${formatPounds(priceMinor)}${memberPriceMinor === null ? '' : `, ${formatPounds(memberPriceMinor)} for members`}`
