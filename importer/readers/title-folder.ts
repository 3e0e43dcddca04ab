import { lstat, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join, sep } from 'node:path'
import { readBookFile, type BookFile } from '../book-file.ts'
import { type FoundEbook, type FoundTitle, type Described } from '../found.ts'
import { ImportRefused } from '../refused.ts'
import { naturalOrder, namesIn } from '#server/features/catalogue/names.ts'
import { type Beside, readBeside } from './beside.ts'
import { readEpub } from './epub.ts'
import { withCaptions } from './captions.ts'
import { INSTALLED, type Splitter } from './m4b.ts'
import { pictureFault } from './sidecar-files.ts'
import { readSounds } from './title-sounds.ts'
import { isLitter, isOtherFormat, kindOf } from './kinds.ts'

/** A box set's CDs in a series. Anything deeper is probably a whole disk. */
const DEEPEST = 4

/** The shop's own, Audiobookshelf's and Calibre's. */
export const TITLE_FILES: readonly string[] = ['book.json', 'metadata.json', 'metadata.opf']

export interface OpenTitle {
  readonly found: FoundTitle
  readonly close: () => Promise<void>
}

/**
 * Unusable sound and e-books are listed in `broken` and do not throw.
 * @throws `ImportRefused` for an invalid `book.json`, several of them, or a link that leads out of the folder
 */
export async function openTitle(
  folder: string,
  splitter: Splitter = INSTALLED,
  place = basename(folder),
): Promise<OpenTitle> {
  const names = await filesOf(folder)
  const others = names.filter((name) => TITLE_FILES.includes(basename(name)) && name.includes('/'))
  if (others.length > 0)
    throw new ImportRefused(
      `holds the files of other titles: ${others.join(', ')}. Each title has a folder of its own, and none lies in another.`,
    )
  const book = names.includes('book.json')
    ? readBookFile(await readFile(join(folder, 'book.json'), 'utf8'))
    : undefined
  const beside = await readBeside(folder, names)
  // Only cutting a file into chapters needs temporary files.
  const isCut = names.some((name) => kindOf(name) === 'm4b') || beside.chapters.length + beside.cues.size > 0
  const work = isCut ? await mkdtemp(join(tmpdir(), 'murmur-import-')) : undefined
  const close = async () => {
    if (work) await rm(work, { recursive: true, force: true })
  }
  try {
    const found = await readAll({ folder, names, work, splitter, book, beside })
    return {
      found: {
        ...found,
        beside: beside.described,
        placed: describePlace(place),
        chapters: beside.chapters,
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** @throws `ImportRefused` for a link out of the folder, which could import any file of this machine */
export async function filesOf(folder: string, depth = 1, top = folder): Promise<string[]> {
  const names: string[] = []
  for (const name of await readdir(folder)) {
    if (isLitter(name)) continue
    const path = join(folder, name)
    const there = await stat(path).catch(() => undefined)
    if (!there) continue
    if (await leadsOut(path, top))
      throw new ImportRefused(`${name} is a link that leads out of this folder; put what it leads to here.`)
    if (there.isFile()) names.push(name)
    else if (there.isDirectory() && depth < DEEPEST)
      names.push(...(await filesOf(path, depth + 1, top)).map((below) => `${name}/${below}`))
  }
  return names.sort(naturalOrder)
}

export async function leadsOut(path: string, top: string): Promise<boolean> {
  if (!(await lstat(path)).isSymbolicLink()) return false
  return !(await realpath(path)).startsWith((await realpath(top)) + sep)
}

interface Reading {
  readonly folder: string
  readonly names: readonly string[]
  readonly work: string | undefined
  readonly splitter: Splitter
  readonly book: BookFile | undefined
  readonly beside: Beside
}

async function readAll({ folder, names, work, splitter, book, beside }: Reading): Promise<FoundTitle> {
  const broken = new Map<string, string>()
  const warnings = [...beside.warnings]
  const trying = async <T>(name: string, read: (path: string) => Promise<T>): Promise<T | undefined> => {
    try {
      if ((await stat(join(folder, name))).size === 0) throw new ImportRefused('is empty')
      return await read(join(folder, name))
    } catch (error) {
      broken.set(
        name,
        error instanceof ImportRefused ? error.reasons.join(' ') : `cannot be read (${String(error)})`,
      )
      return undefined
    }
  }
  const of = (kind: ReturnType<typeof kindOf>) => names.filter((name) => kindOf(name) === kind)

  const read = await readSounds({ folder, names, work, splitter, book, beside, trying, warnings })
  const sounds = await withCaptions(folder, names, read, warnings)
  const ebooks: FoundEbook[] = []
  for (const name of of('epub')) {
    const ebook = await trying(name, (path) => readEpub(path, name))
    if (ebook) ebooks.push(ebook)
  }

  const pictures = of('picture').filter((name) => !name.includes('/'))
  const named = (pattern: RegExp) => pictures.find((name) => pattern.test(basename(name, extname(name))))
  const ebookCover = named(/^cover[-_ ](e-?book|epub)$/i)
  const others = pictures.filter((name) => name !== ebookCover)
  const cover =
    named(/^cover$/i) ??
    named(/^(folder|front|cover[-_ ]audio(book)?)$/i) ??
    (others.length === 1 ? others[0] : undefined)
  const picture = async (name: string | undefined) =>
    name === undefined ? undefined : usable(await readFile(join(folder, name)), name)
  const usable = async (bytes: Uint8Array | undefined, where: string) => {
    const fault = bytes && (await pictureFault(bytes))
    if (!fault) return bytes
    warnings.push(`${where} ${fault}; another cover is used.`)
    return undefined
  }
  for (const [index, sound] of sounds.entries())
    if (sound.tags.picture) {
      const inTag = await usable(sound.tags.picture, `The picture in ${sound.name}`)
      sounds[index] = { ...sound, tags: { ...sound.tags, picture: inTag } }
    }
  for (const [index, ebook] of ebooks.entries())
    ebooks[index] = { ...ebook, cover: await usable(ebook.cover, `The cover in ${ebook.name}`) }
  return {
    folder: basename(folder),
    book,
    sounds,
    ebooks,
    cover: await picture(cover),
    ebookCover: await picture(ebookCover),
    broken,
    otherFormats: names.filter(isOtherFormat),
    warnings,
  }
}

/** Audiobookshelf's notation: `Author/Series/2 - Title`, `Author/Title`. The last three folders count. */
export function describePlace(path: string): Described {
  const folders = path.split('/').filter(Boolean)
  const own = (folders.pop() ?? '').replaceAll(/[_\s]+/g, ' ').trim()
  const series = folders.length > 1 ? folders.pop() : undefined
  const author = folders.pop()

  const withoutAsin = own.replace(/(?: |^)\[[A-Z0-9]{10}\](?= |$)/, '').trim()
  const [, unread = withoutAsin, narrators = ''] = /^(.*\S)\s*\{(.+)\}$/.exec(withoutAsin) ?? []
  const { number, rest } = series === undefined ? { number: undefined, rest: unread } : numberIn(unread)
  const [, year, title = rest] = /^\(?(\d{4})\)?\s+-\s+(.+)$/.exec(rest) ?? []
  return {
    title,
    published: year,
    authors: author === undefined ? [] : namesIn(author.replaceAll('_', ' ')),
    narrators: namesIn(narrators),
    series: series === undefined ? [] : [{ name: series.replaceAll('_', ' ').trim(), number }],
  }
}

/** `2 - Title`, `Vol. 3 Title`, `6. Title`, `1994 - Book 1.5 - Title`, `Title - Vol 12`; not `101 Nights`. */
function numberIn(name: string): { number: string | undefined; rest: string } {
  const parts = name.split(/\s+-\s+/)
  for (const [index, part] of parts.entries()) {
    const [, label, number, dot, more] = NUMBERED.exec(part) ?? []
    if (number === undefined || (more !== undefined && !label && !dot)) continue
    const rest = parts.with(index, more ?? '').filter(Boolean)
    if (rest.length > 0) return { number: String(Number(number)), rest: rest.join(' - ') }
  }
  return { number: undefined, rest: name }
}

const NUMBERED = /^(vol(?:ume)?\.? |book )?(\d{1,3}(?:\.\d{1,2})?)(\.?)(?: (.+))?$/i
