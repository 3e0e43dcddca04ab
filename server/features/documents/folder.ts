import { isDeepStrictEqual } from 'node:util'
import type { DocumentKind, FaqContent } from '#contract/office/documents.ts'
import type { Db } from '../../db/open.ts'
import type { DocumentType } from './document-type.ts'
import { type ContentOf, DOCUMENT_TYPES } from './kinds.ts'
import { lockDocument, updateDocument } from './queries.ts'

const NOTE = 'Left as it was published in the office. To take this file instead: “Use the folder’s” there.'

/**
 * Content published in the office takes precedence over the folder, until staff choose “Use the folder’s”. Returns
 * undefined if the folder decides; otherwise stores the folder's content, so that staff can choose it.
 *
 * @param folderSays returns the folder's content, given its previous content or else the published content
 */
export async function keptByOffice<K extends DocumentKind>(
  db: Db,
  { kind, key, dryRun }: { readonly kind: K; readonly key: string; readonly dryRun: boolean },
  folderSays: (before: ContentOf[K]) => ContentOf[K],
): Promise<{ readonly notes: readonly string[] } | undefined> {
  const row = await lockDocument(db, kind, key)
  if (!row || row.setHereAt === null) return undefined
  const type: DocumentType<ContentOf[K]> = DOCUMENT_TYPES[kind]
  const live = await type.read(db, key)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by this function
  const before = (row.folder ?? live?.content ?? {}) as ContentOf[K]
  const folder = folderSays(before)
  const differs = row.binnedAt !== null || !isDeepStrictEqual(folder, live?.content)
  if (!dryRun) await updateDocument(db, row.id, { folder: differs ? folder : null })
  return { notes: differs ? [NOTE] : [] }
}

/** The same for the groups of questions that no file has. Returns false if the folder decides. */
export async function keptCategories(db: Db, names: readonly string[], dryRun: boolean): Promise<boolean> {
  const row = await lockDocument(db, 'faq', 'faq')
  if (!row || row.setHereAt === null) return false
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by `keptByOffice`
  const folder = row.folder as FaqContent | null
  if (folder && !dryRun)
    await updateDocument(db, row.id, {
      folder: { categories: folder.categories.filter(({ name }) => names.includes(name)) },
    })
  return true
}
