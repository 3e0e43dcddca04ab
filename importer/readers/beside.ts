import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { decodeCell, wideEncodingOf } from '../catalogue/csv.ts'
import { type Described, layOver, type FoundChapter } from '../found.ts'
import { namesIn } from '#server/features/catalogue/names.ts'
import { readXml } from '../xml.ts'
import { describeMetadata, chaptersOfCue, describeNfo, describePackage } from './sidecar-files.ts'

/** Bytes; far above any real file. */
const LARGEST = 5_000_000

export interface Beside {
  readonly described: Described
  readonly chapters: readonly FoundChapter[]
  readonly cues: ReadonlyMap<string, readonly FoundChapter[]>
  readonly warnings: readonly string[]
}

/**
 * In Audiobookshelf's order, later ones override: `.nfo`, `desc.txt` and `reader.txt`, `.opf`, `metadata.json`.
 * @throws `ImportRefused` for an invalid `metadata.json`
 */
export async function readBeside(folder: string, names: readonly string[]): Promise<Beside> {
  const own = names.filter((name) => !name.includes('/'))
  const warnings: string[] = []
  const named = (name: string) => own.find((each) => each.toLowerCase() === name)
  const ending = (end: string) => own.find((each) => extname(each).toLowerCase() === end)
  const read = async (name: string | undefined): Promise<string | undefined> => {
    if (name === undefined) return undefined
    const path = join(folder, name)
    if ((await stat(path)).size > LARGEST) {
      warnings.push(`${name} is left out: it is too large to be a description.`)
      return undefined
    }
    const bytes = await readFile(path)
    const wide = wideEncodingOf(bytes)
    return (wide ? new TextDecoder(wide).decode(bytes) : decodeCell(bytes).text).replace(/^\uFEFF/, '')
  }
  const [nfo, description, reader, opf, metadata] = [
    await read(ending('.nfo')),
    await read(named('desc.txt')),
    await read(named('reader.txt')),
    await read(named('metadata.opf') ?? ending('.opf')),
    await read(named('metadata.json')),
  ]
  const listed = metadata === undefined ? undefined : describeMetadata(metadata)
  const described = layOver(
    nfo === undefined ? {} : describeNfo(nfo),
    { description: description?.trim(), narrators: reader === undefined ? [] : namesIn(reader.trim()) },
    opf === undefined ? {} : packageIn(opf),
    listed?.described ?? {},
  )
  const cues = new Map<string, readonly FoundChapter[]>()
  for (const name of own.filter((each) => extname(each).toLowerCase() === '.cue'))
    for (const [file, chapters] of chaptersOfCue((await read(name)) ?? '')) cues.set(file, chapters)
  return { described, chapters: listed?.chapters ?? [], cues, warnings }
}

/** Ignores a file that is not XML. */
function packageIn(opf: string): Described {
  try {
    return describePackage(readXml(opf))
  } catch {
    return {}
  }
}
