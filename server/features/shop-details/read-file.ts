import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { IANAZone } from 'luxon'
import { ShopFile } from '#contract/shop-details.ts'
import { jsonChecker } from '../../settings/check-json.ts'
import { linesOf } from '../../settings/json-lines.ts'
import { faintOf } from '../../settings/owners-colours.ts'
import { impossible } from '../../settings/shop-parts.ts'
import { type OwnersPicture, type Said, SHOP_FILE, versionOf } from '../../settings/owners-details.ts'
import { codeOf } from '../../log/error-code.ts'
import { mistakesInTerms } from './check-terms.ts'
import { iconsOf, logoOf, PictureRefused } from './pictures.ts'

export type ReadFile =
  | {
      readonly said: Said
      readonly writtenAt: Date
      /** By JSON path. */
      readonly lines: ReadonlyMap<string, number>
    }
  /** One sentence per mistake. */
  | { readonly mistakes: readonly string[] }

const check = jsonChecker(ShopFile)

/** Undefined if there is no file. */
export async function readShopFile(folder: string): Promise<ReadFile | undefined> {
  const path = join(folder, SHOP_FILE)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const read = checkShopFile(text)
  if ('mistakes' in read) return read
  const { file } = read
  const mistakes: string[] = []
  const pictures: Record<string, OwnersPicture> = {}
  const versions = [text]
  let writtenAt = (await stat(path)).mtime
  const line = linesOf(text.replace(/^\uFEFF/, ''))
  const take = async (
    key: 'logo' | 'icon',
    make: (bytes: Buffer) => Promise<Record<string, OwnersPicture>>,
  ) => {
    const name = file[key]
    if (!name) return
    try {
      const bytes = await readFile(join(folder, name))
      const { mtime } = await stat(join(folder, name))
      if (mtime > writtenAt) writtenAt = mtime
      versions.push(versionOf(bytes))
      Object.assign(pictures, await make(bytes))
    } catch (error) {
      const why =
        error instanceof PictureRefused
          ? error.message
          : codeOf(error) === 'ENOENT'
            ? 'is not there: put it beside shop.json'
            : undefined
      if (!why) throw error
      mistakes.push(`line ${line.get(`/${key}`) ?? 1}: ${name} ${why}.`)
    }
  }
  await take('logo', async (bytes) => ({ logo: await logoOf(bytes) }))
  await take('icon', async (bytes) => iconsOf(bytes, file))
  if (mistakes.length > 0) return { mistakes }
  if (!file.icon) Object.assign(pictures, await iconsOf(undefined, file))
  return { said: { file, pictures, version: versionOf(versions.join('\n')) }, writtenAt, lines: line }
}

/** Without the pictures. */
export function checkShopFile(
  given: string,
): { readonly file: ShopFile } | { readonly mistakes: readonly string[] } {
  const text = given.replace(/^\uFEFF/, '')
  const read = check(text)
  if ('mistakes' in read) return read
  const file = read.value
  const lines = linesOf(text)
  const mistakes = [
    ...(file.zone !== undefined && !IANAZone.isValidZone(file.zone)
      ? [`line ${lines.get('/zone') ?? 1}: "zone" must be the name of a time zone such as "Europe/London".`]
      : []),
    ...(impossible(file) ? [`line ${lines.get('/parts') ?? 1}: ${impossible(file)}`] : []),
    ...(file.colours ? faintOf(file.colours) : []).map(
      ({ which, says, nearest }) =>
        `line ${lines.get(`/colours/${which}`) ?? lines.get('/colours') ?? 1}: the colour "${which}" is hard to read: ${says}. The nearest that passes is "${nearest}".`,
    ),
    ...mistakesInTerms(file).map(({ at, says }) => `line ${lines.get(at) ?? 1}: ${says}`),
  ]
  return mistakes.length > 0 ? { mistakes } : { file }
}
