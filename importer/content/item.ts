import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { coloursFor } from '../covers/palette.ts'
import type { FoundSound } from '../found.ts'
import { readM4a, readMp3 } from '../readers/sound.ts'
import { ImportRefused } from '../refused.ts'
import { applyItem } from './apply-item.ts'
import { checkerOf, besides, readText, readFrontMatter, instantOf } from './files.ts'
import type { DesiredItem, Kind, Timing, Piece } from './piece.ts'
import { drawingOf, drawnPicture, type PlannedPicture, writtenPicture } from './pictures.ts'
import { bodyOf } from './markdown.ts'
import { ItemFile } from './schemas.ts'

const check = checkerOf(ItemFile)

/** `editorial/{articles,interviews,discussions}/<slug>.md`: an article, interview or discussion with its metadata. */
export async function readItem(path: string, kind: Kind): Promise<Piece> {
  const { keys, body, lines } = readFrontMatter(await readText(path))
  const file = check(keys, lines)
  const slug = basename(path, '.md')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 120)
    throw new ImportRefused(`The file’s name is its address: lower-case letters, digits and single hyphens.`)

  const seed = `${kind} ${slug}`
  const colours = file.colours?.background ? file.colours : coloursFor(seed)
  const pictures: PlannedPicture[] = []
  const kept = async (picture: Promise<PlannedPicture> | PlannedPicture): Promise<PlannedPicture> => {
    pictures.push(await picture)
    return picture
  }
  const picture =
    file.image === 'none'
      ? undefined
      : await kept(
          file.image === undefined
            ? drawnPicture(drawingOf(seed), colours, seed)
            : writtenPicture(path, file.image, colours, seed),
        )
  const { html, lost } = await bodyOf(body, ({ href }) =>
    kept(writtenPicture(path, href, colours, `${seed} ${pictures.length}`)),
  )
  const sound = file.audio === undefined ? undefined : await readSound(path, file.audio)
  const timing = timingOf(file)

  const desired: DesiredItem = {
    title: file.title,
    summary: file.summary?.trim() ?? '',
    shortDescription: file.shortDescription?.trim() ?? '',
    main: html,
    pictureId: picture?.id ?? null,
    altText: file.altText?.trim() ?? '',
    published: file.published ?? true,
    featured: file.featured ?? false,
    special: file.special ?? false,
    memberOnly: file.memberOnly ?? false,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked by the schema of the file
    minimumTier: file.memberOnly ? ((file.minimumTier as 'supporter' | 'reader') ?? null) : null,
    hideAuthor: file.hideAuthor ?? false,
    videoLink: file.videoLink ?? null,
    audioId: sound?.sha256 ?? null,
    link: file.link ?? null,
    linkTitle: file.linkTitle ?? null,
    metaDescription: file.metaDescription ?? null,
    metaKeywords: file.metaKeywords ?? null,
    author: file.author ?? null,
    category: file.category ?? null,
    type: file.type ?? null,
    books: [...new Set(file.books)],
    timing: createHash('sha256').update(JSON.stringify(timing)).digest('hex'),
  }
  return {
    about: file.title,
    pictures,
    sounds: sound ? [sound] : [],
    warnings: [...lost, ...notes(file)],
    apply: (tx, applying) => applyItem(tx, { kind, slug, desired, timing }, applying),
  }
}

async function readSound(path: string, name: string): Promise<FoundSound> {
  const sound = besides(path, name)
  const read = /\.mp3$/i.test(name) ? readMp3 : /\.m4a$/i.test(name) ? readM4a : undefined
  if (!read) throw new ImportRefused(`“${name}” is not an MP3 or M4A file.`)
  try {
    return await read(sound, name)
  } catch (error) {
    if (error instanceof ImportRefused)
      throw new ImportRefused(...error.reasons.map((reason) => `${name} ${reason}.`))
    throw new ImportRefused(`The sound ${name} is not beside the file.`)
  }
}

function timingOf({ publishedAt, publishedDaysAgo, startsAt, startsInDays }: ItemFile): Timing {
  const both = (one: unknown, two: unknown, names: string) => {
    if (one !== undefined && two !== undefined) throw new ImportRefused(`Give ${names}, not both.`)
  }
  both(publishedAt, publishedDaysAgo, '"publishedAt" or "publishedDaysAgo"')
  both(startsAt, startsInDays, '"startsAt" or "startsInDays"')
  for (const instant of [publishedAt, startsAt])
    if (instant !== undefined && !instantOf(instant))
      throw new ImportRefused(`${instant} is not a date in the calendar.`)
  return {
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(publishedDaysAgo === undefined ? {} : { publishedDaysAgo }),
    ...(startsAt === undefined ? {} : { startsAt }),
    ...(startsInDays === undefined ? {} : { startsInDays }),
  }
}

function notes({ minimumTier, memberOnly, linkTitle, link, image, altText }: ItemFile): string[] {
  return [
    ...(minimumTier && !memberOnly ? ['"minimumTier" only makes sense with "memberOnly".'] : []),
    ...(linkTitle && !link ? ['"linkTitle" needs a "link".'] : []),
    ...(image !== undefined && image !== 'none' && !altText
      ? ['The picture has no "altText" for people who cannot see it.']
      : []),
  ]
}
