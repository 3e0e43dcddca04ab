import { readdir, stat } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { naturalOrder } from '#server/features/catalogue/names.ts'
import { pathBelow } from '../origin.ts'
import { isLitter, kindOf } from './kinds.ts'
import { leadsOut, TITLE_FILES } from './title-folder.ts'

/** Library, shelf, author, series, title, CD. Anything deeper is probably a whole disk. */
const DEEPEST = 6
const DISC = /^(?:cd|dis[ck]|part|side|tape)[\s_-]*(?:\d{1,3}|[a-z])$/i

export interface FoundTitles {
  readonly titles: readonly string[]
  readonly loose: readonly string[]
  readonly links: readonly string[]
}

/**
 * The deepest folder with sound or an EPUB, or one with a file of `TITLE_FILES`; CD folders belong to their parent.
 * Returns the folder itself if nothing matches, so that reading it reports what is missing.
 */
export async function findTitles(root: string): Promise<FoundTitles> {
  const links: string[] = []
  const loose: string[] = []
  const titlesIn = (folder: Folder): string[] => {
    const inside = folder.below.filter(holdsTitle)
    const isOne = folder.isMarked || ((folder.media.length > 0 || inside.length > 0) && inside.every(isDisc))
    if (isOne) return [folder.path]
    loose.push(...folder.media.map((name) => pathBelow(root, join(folder.path, name))))
    return folder.below.flatMap((each) => (holdsTitle(each) ? titlesIn(each) : [each.path]))
  }
  const titles = titlesIn(await readFolder(root, root, links))
  // A link inside a title is refused together with the title.
  const besideTitles = links.filter((link) => !titles.some((title) => link.startsWith(title + sep)))
  return { titles, loose: loose.sort(naturalOrder), links: besideTitles.map((link) => pathBelow(root, link)) }
}

interface Folder {
  readonly path: string
  readonly isMarked: boolean
  readonly media: readonly string[]
  readonly below: readonly Folder[]
}

const holdsTitle = ({ isMarked, media, below }: Folder): boolean =>
  isMarked || media.length > 0 || below.some(holdsTitle)

const isDisc = (folder: Folder): boolean => DISC.test(basename(folder.path)) && !isAnyMarked(folder)
const isAnyMarked = ({ isMarked, below }: Folder): boolean => isMarked || below.some(isAnyMarked)

async function readFolder(path: string, root: string, links: string[], depth = 0): Promise<Folder> {
  const media: string[] = []
  const below: Folder[] = []
  let isMarked = false
  for (const name of (await readdir(path)).sort(naturalOrder)) {
    if (isLitter(name)) continue
    const inside = join(path, name)
    const there = await stat(inside).catch(() => undefined)
    const isFolder = there?.isDirectory() ?? false
    if (isFolder && (await leadsOut(inside, root))) links.push(inside)
    else if (isFolder && depth < DEEPEST) below.push(await readFolder(inside, root, links, depth + 1))
    else if (there?.isFile() && TITLE_FILES.includes(name)) isMarked = true
    else if (there?.isFile() && isMedia(name)) media.push(name)
  }
  return { path, isMarked, media, below }
}

function isMedia(name: string): boolean {
  const kind = kindOf(name)
  return kind !== undefined && kind !== 'picture'
}
