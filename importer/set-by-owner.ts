import type { OwnersField } from '#server/features/catalogue/title-state-queries.ts'
import { formatPounds } from '#server/format.ts'
import type { DesiredBook, DesiredChapter } from './desired.ts'

export interface KeptBook {
  readonly book: DesiredBook
  readonly left: readonly string[]
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
  isPriced: boolean,
): KeptBook {
  const left: string[] = []
  const differing: { readonly field: string; readonly said: string }[] = []
  let book = wanted
  const keep = (field: OwnersField, said: string | false, values: Partial<DesiredBook>) => {
    left.push(field)
    if (said) differing.push({ field, said })
    book = { ...book, ...values }
  }
  const has = (field: OwnersField) => setByOwner.includes(field)

  if (has('price')) {
    const { priceMinor, memberPriceMinor } = existing
    const isOther =
      isPriced && (wanted.priceMinor !== priceMinor || wanted.memberPriceMinor !== memberPriceMinor)
    keep('price', isOther && `price (${pricesOf(existing)}; the folder says ${pricesOf(wanted)})`, {
      priceMinor,
      memberPriceMinor,
      published: wanted.state === 'on-sale',
    })
  }
  for (const [field, word] of TEXTS)
    if (has(field)) keep(field, wanted[field] !== existing[field] && word, { [field]: existing[field] })
  if (has('file'))
    keep('file', wanted.fileId !== null && wanted.fileId !== existing.fileId && 'the e-book’s file', {
      fileId: existing.fileId,
    })
  const chapters = wanted.chapters.map((chapter, index) => {
    const field: OwnersField = `chapter ${index + 1}`
    const before = existing.chapters[index]
    if (!has(field) || !before) return chapter
    keep(field, before.soundId !== chapter.soundId && `the sound of ${field}`, {})
    return { ...chapter, soundId: before.soundId, durationMs: before.durationMs } satisfies DesiredChapter
  })
  if (stateByCommand) {
    left.push('state')
    if (wanted.state !== stateByCommand && wanted.state !== 'on-sale')
      differing.push({ field: 'state', said: `state (${stateByCommand}; the folder says ${wanted.state})` })
  }
  return {
    book: { ...book, chapters },
    left,
    ...(differing.length > 0 ? { note: noteOf(wanted.slug, differing) } : {}),
  }
}

const TEXTS = [
  ['title', 'title'],
  ['summary', 'description'],
  ['metaDescription', 'meta description'],
] as const

function noteOf(slug: string, differing: readonly { field: string; said: string }[]): string {
  const commands = differing.map(({ field }) => `npm run titles -- follow ${slug} ${field}`)
  return `Left as you set it: ${differing.map(({ said }) => said).join(', ')}. To take the folder’s: ${commands.join('; ')}`
}

const pricesOf = ({ priceMinor, memberPriceMinor }: DesiredBook): string =>
  `${formatPounds(priceMinor)}${memberPriceMinor === null ? '' : `, ${formatPounds(memberPriceMinor)} for members`}`
