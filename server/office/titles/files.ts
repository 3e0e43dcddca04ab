import { isDeepStrictEqual } from 'node:util'
import { extname, join } from 'node:path'
import type { StaffCaller } from '../../auth/staff.ts'
import { selectChapters } from '../../features/catalogue/chapters-queries.ts'
import { titleNamed } from '../../features/catalogue/title-states.ts'
import { outdated, refused, unprocessable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import type { Importer } from '../importer.ts'
import { recordingOf, removeBatch } from '../imports/service.ts'
import { folderOf, receivedFiles } from '../imports/uploads.ts'
import { applyFields } from './fields.ts'
import { selectSounds } from './queries.ts'

interface NamedSound {
  readonly title: string
  readonly sound: string
}

/**
 * Puts chapters into order, renames them, gives them another sound, adds or removes some. Places and bookmarks follow.
 *
 * @param seen the chapters as the caller's screen had them
 * @throws 404; 409 if a colleague or an import has changed them since; 422
 */
export async function changeChapters(
  shop: Shop,
  staff: StaffCaller,
  slug: string,
  { seen, chapters }: Readonly<Record<'seen' | 'chapters', readonly NamedSound[]>>,
): Promise<{ entry: number | null; what: string }> {
  const [book] = await titleNamed(shop.db, { slug, format: 'audio_book' })
  const standing = await selectChapters(shop.db, book!.id)
  if (standing.length === 0)
    throw refused('It has no chapters yet. Bring its files in under Titles, Bring in books.')
  if (
    !isDeepStrictEqual(
      seen.map(({ title, sound }) => [title, sound]),
      standing.map(({ title, soundId }) => [title, soundId]),
    )
  )
    throw outdated('These chapters have been changed meanwhile. Look at them as they are now.')
  const lengths = new Map([
    ...(await selectSounds(
      shop.db,
      chapters.map(({ sound }) => sound),
    )),
    ...standing.map(({ soundId, durationMs }) => [soundId, durationMs] as const),
  ])
  const wanted = chapters.map(({ title, sound }, index) => {
    const durationMs = lengths.get(sound)
    const at = `chapters.${index}`
    if (durationMs === undefined) throw unprocessable(`${at}.sound`, 'The shop has no such sound.')
    if (title.trim() === '') throw unprocessable(`${at}.title`, `Give chapter ${index + 1} a name.`)
    return { title: title.trim(), soundId: sound, durationMs }
  })
  return applyFields(shop, staff, slug, [{ ...book!, wanted: { chapters: wanted } }])
}

/** Sets the e-book's text from the caller's own upload, which ends here. @throws 404, 422 with the importer's reasons */
export async function setText(
  shop: Shop,
  importer: Importer,
  staff: StaffCaller,
  slug: string,
  upload: string,
): Promise<{ entry: number | null; what: string }> {
  const [book] = await titleNamed(shop.db, { slug, format: 'e_book' })
  const { id } = await recordingOf(shop, staff, upload)
  const texts = (await receivedFiles(shop, id)).filter(({ path }) => extname(path).toLowerCase() === '.epub')
  if (texts.length !== 1) throw refused('Choose one EPUB file.')
  const fileId = await importer.storeText(shop, join(folderOf(shop, id), texts[0]!.path))
  await removeBatch(shop, id)
  return applyFields(shop, staff, slug, [{ ...book!, wanted: { file: fileId } }])
}

/** @throws 404; 422 if somebody owns it */
export async function removeText(
  shop: Shop,
  staff: StaffCaller,
  slug: string,
): Promise<{ entry: number | null; what: string }> {
  const [book] = await titleNamed(shop.db, { slug, format: 'e_book' })
  if (book!.isOwned) throw refused('Somebody owns this e-book and would lose it. Retire it instead.')
  return applyFields(shop, staff, slug, [{ ...book!, wanted: { file: null } }])
}
