import type { BookFile } from './book-file.ts'
import { type FoundChapter, type FoundSound, type FoundTitle, isSample } from './found.ts'
import { chapterNameOf } from '#server/features/catalogue/names.ts'
import { naturalOrder } from '#server/features/catalogue/names.ts'
import { ImportRefused } from './refused.ts'

export interface PlannedChapter {
  readonly title: string
  readonly sound: FoundSound
}

export interface PlannedSound {
  readonly chapters: readonly PlannedChapter[]
  readonly sample: FoundSound | undefined
  readonly warnings: readonly string[]
}

/** @throws `ImportRefused` if a chapter is missing or broken: an incomplete book is not sold */
export function planSound(found: FoundTitle): PlannedSound {
  const asked = found.book?.audiobook
  const sample = sampleOf(found, asked?.sample)
  const warnings: string[] = []
  if (asked?.chapters) {
    const chapters = listed(found, asked.chapters)
    const used = new Set([...chapters.map(({ sound }) => sound.name), sample?.name])
    for (const { name } of found.sounds)
      if (!used.has(name) && !isSample(name)) warnings.push(`${name} is not among the chapters of book.json.`)
    return { chapters, sample, warnings }
  }

  const problems = [...found.broken].filter(([name]) => /\.(mp3|m4a|m4b)$/i.test(name) && !isSample(name))
  if (problems.length > 0) throw new ImportRefused(...problems.map(([name, why]) => `${name} ${why}.`))
  const sounds = found.sounds.filter((sound) => sound !== sample)
  const { ordered, warning } = inOrder(sounds)
  if (warning) warnings.push(warning)
  const told = found.chapters ?? []
  const isTold = beginTogether(told, ordered)
  if (told.length > 1 && ordered.length > 0 && !isTold)
    warnings.push(
      'The chapters in metadata.json are not where the files begin and end; each file is a chapter.',
    )
  return { chapters: titled(ordered, isTold ? told : []), sample, warnings }
}

function listed(
  found: FoundTitle,
  chapters: NonNullable<NonNullable<BookFile['audiobook']>['chapters']>,
): PlannedChapter[] {
  const problems: string[] = []
  const planned = chapters.flatMap(({ file, title }) => {
    // If the file was split, use all its chapters with their own names.
    const parts = found.sounds.filter(({ name }) => name.startsWith(`${file}#`))
    if (parts.length > 1) return titled(parts)
    const sound = parts[0] ?? byName(found.sounds, file)
    if (sound) return [{ title: title ?? sound.tags.title ?? chapterNameOf(sound.name), sound }]
    problems.push(missing(found, file))
    return []
  })
  if (problems.length > 0) throw new ImportRefused(...problems)
  return planned
}

function sampleOf(found: FoundTitle, asked: string | undefined): FoundSound | undefined {
  if (asked === undefined) return found.sounds.find(({ name }) => isSample(name))
  const sample = byName(found.sounds, asked)
  if (!sample) throw new ImportRefused(missing(found, asked))
  return sample
}

export function missing(found: FoundTitle, file: string): string {
  const why = found.broken.get(file)
  return why ? `${file} ${why}.` : `${file} is named in book.json and is not in the folder.`
}

/** Ignores case if there is no exact match. */
export function byName<T extends { name: string }>(files: readonly T[], name: string): T | undefined {
  const wanted = name.replace(/^\.\//, '').replaceAll('\\', '/')
  return (
    files.find((file) => file.name === wanted) ??
    files.find((file) => file.name.toLowerCase() === wanted.toLowerCase())
  )
}

/** Orders by name if names have numbers, else by track number if every file has one. */
function inOrder(sounds: readonly FoundSound[]): { ordered: readonly FoundSound[]; warning?: string } {
  const byNames = [...sounds].sort((one, two) => naturalOrder(one.name, two.name))
  const tracks = new Set(sounds.map(({ tags }) => `${tags.disc ?? 1}/${tags.track}`))
  const complete =
    sounds.length > 1 && tracks.size === sounds.length && sounds.every(({ tags }) => tags.track)
  if (!complete) return { ordered: byNames }
  const place = ({ tags }: FoundSound) => (tags.disc ?? 1) * 100_000 + (tags.track ?? 0)
  const byTags = [...sounds].sort((one, two) => place(one) - place(two))
  const agree = byTags.every((sound, index) => sound === byNames[index])
  if (agree) return { ordered: byNames }
  if (!byNames.every(({ name }) => isNumbered(name))) return { ordered: byTags }
  return {
    ordered: byNames,
    warning: 'The track numbers in the tags give another order than the file names; the names were followed.',
  }
}

/** Ignores the 3 of `.mp3`, and the number of a CD folder. */
const isNumbered = (name: string): boolean => /\d/.test(name.replace(/^.*\//, '').replace(/\.[^.]*$/, ''))

/** Tolerance between the measured start of a file and the given start of its chapter. */
const TOGETHER_SECONDS = 5

function beginTogether(told: readonly FoundChapter[], sounds: readonly FoundSound[]): boolean {
  let seconds = 0
  return (
    told.length === sounds.length &&
    sounds.every(({ durationMs }, index) => {
      const isTogether = Math.abs(told[index]!.startSeconds - seconds) <= TOGETHER_SECONDS
      seconds += durationMs / 1000
      return isTogether
    })
  )
}

/** Unless every file has the same tag: then it is the book's name. */
function titled(sounds: readonly FoundSound[], told: readonly FoundChapter[] = []): PlannedChapter[] {
  const names = sounds.map(({ tags }) => tags.title)
  const telling = names.length === 1 || new Set(names).size > 1
  return sounds.map((sound, index) => ({
    title:
      told[index]?.title ??
      (telling ? names[index] : undefined) ??
      (sound.name.includes('#') ? `Chapter ${index + 1}` : chapterNameOf(sound.name)),
    sound,
  }))
}
