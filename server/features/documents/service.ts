import { isDeepStrictEqual } from 'node:util'
import { Compile } from 'typebox/compile'
import type { DocumentKind, Missing } from '#contract/office/documents.ts'
import type { StaffCaller } from '../../auth/staff.ts'
import type { RealTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { notFound, outdated, Refusal, refused, unreadable } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { act } from '../activity/service.ts'
import { notifyInstances } from '../catalogue/queries.ts'
import { refreshSearch } from '../search/refresh.ts'
import type { DocumentType } from './document-type.ts'
import { DOCUMENT_TYPES } from './kinds.ts'
import { emptyPiece } from './piece-queries.ts'
import {
  type DocumentRow,
  insertDocument,
  insertVersion,
  lockDocument,
  selectDocument,
  selectDueDocuments,
  selectLastPublished,
  selectPublished,
  selectVersion,
  updateDocument,
} from './queries.ts'

export interface DocumentName {
  readonly kind: DocumentKind
  readonly key: string
}

/** Only `DOCUMENT_TYPES[kind]` reads it, after `checkShape`. */
type Content = Record<string, unknown>
type Staff = Pick<StaffCaller, 'staffId' | 'name'>
type Author = { readonly staffId: string | null; readonly name: string }

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each content is checked by the schema of its kind
const typeOf = (kind: DocumentKind) => DOCUMENT_TYPES[kind] as unknown as DocumentType<Content>

const CHECKS = new Map<DocumentKind, ReturnType<typeof Compile>>()

/** A draft may be incomplete, but has its fields. @throws 400 */
function checkShape(kind: DocumentKind, content: unknown): asserts content is Content {
  const check = CHECKS.get(kind) ?? Compile(typeOf(kind).schema)
  CHECKS.set(kind, check)
  if (check.Check(content)) return
  const [error] = check.Errors(content)
  throw unreadable(`content${error?.instancePath ?? ''}: ${error?.message ?? 'This is no draft.'}`)
}

export interface OpenedDocument {
  readonly row: DocumentRow | undefined
  readonly isLive: boolean
  /** Stored in the shop, shown or not. */
  readonly isStored: boolean
  /** The draft, else what the shop shows, else what it showed last. */
  readonly content: Content
  /** What the shop shows. */
  readonly published: Content | null
  readonly missing: readonly Missing[]
}

/** @throws 404 */
export async function openDocument(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  { kind, key }: DocumentName,
): Promise<OpenedDocument> {
  const type = typeOf(kind)
  const [row, live] = await Promise.all([selectDocument(db, kind, key), type.read(db, key, config.details)])
  const last = row && !row.draft && !live ? await selectLastPublished(db, row.id) : undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked when it was saved
  const content = (row?.draft ?? live?.content ?? last?.content) as Content | undefined
  if (!content) throw notFound()
  return {
    row,
    isLive: live?.isShown === true && row?.binnedAt == null,
    isStored: live !== undefined && !live.isProposal,
    content,
    published: live?.isProposal ? null : (live?.content ?? null),
    missing: await type.missing(db, content),
  }
}

/**
 * A new piece or page, as a draft under an address made of its title. A page that the law asks for has a fixed address:
 * if it exists, it is returned as it is.
 */
export async function startDocument(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  by: Staff,
  {
    kind,
    title,
    slug,
    body = '',
    hasFixedAddress = false,
  }: {
    readonly kind: DocumentKind
    readonly title: string
    readonly slug: string
    readonly body?: string
    readonly hasFixedAddress?: boolean
  },
): Promise<DocumentName> {
  const draft = kind === 'page' ? { title, body, part: null } : emptyPiece(title)
  for (let number = 1; number < 100; number += 1) {
    const key = number === 1 ? slug : `${slug}-${number}`
    const values = { kind, key, title, draft, version: 1, savedAt: now(), savedBy: by.name }
    const isTaken = (await typeOf(kind).read(db, key)) !== undefined
    const row = isTaken ? undefined : await insertDocument(db, values)
    if (row || hasFixedAddress) return { kind, key }
  }
  throw refused(`Many things are called “${title}”. Choose another title.`)
}

/** Locks its row; the first who edits a document makes one. @throws 404 for what is neither stored nor drafted */
async function lockOrMake(db: Db, { kind, key }: DocumentName, shop: Pick<Shop, 'config'>) {
  const type = typeOf(kind)
  const live = await type.read(db, key, shop.config.details)
  if (live) await insertDocument(db, { kind, key, title: type.titleOf(live.content, key) })
  const row = await lockDocument(db, kind, key)
  if (!row) throw notFound()
  return { type, live, row }
}

function refuseOlder({ version, savedBy }: DocumentRow, began: number): void {
  if (version !== began) throw outdated(`${savedBy ?? 'Somebody'} saved this while you were typing.`)
}

/** @throws 409 if it was saved since `version` */
export async function saveDraft(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Staff,
  name: DocumentName,
  { content, version }: { readonly content: unknown; readonly version: number },
): Promise<{ version: number; hasDraft: boolean; savedAt: RealTime; missing: Missing[] }> {
  checkShape(name.kind, content)
  return shop.db.transaction(async (tx) => {
    const { type, live, row } = await lockOrMake(tx, name, shop)
    refuseOlder(row, version)
    const savedAt = shop.now()
    const hasDraft = row.binnedAt !== null || !isDeepStrictEqual(content, live?.content)
    await updateDocument(tx, row.id, {
      title: type.titleOf(content, name.key),
      draft: hasDraft ? content : null,
      version: version + 1,
      savedAt,
      savedBy: by.name,
    })
    return { version: version + 1, hasDraft, savedAt, missing: await type.missing(tx, content) }
  })
}

/** Returns to the published content; the draft stays in the history. @throws 422 if it was never published */
export async function discardDraft(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Staff,
  name: DocumentName,
): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const { row, live, type } = await lockOrMake(tx, name, shop)
    if (!live) throw refused('It was never published. Put it into the bin instead.')
    await keepDraft(tx, row, by, shop.now())
    await updateDocument(tx, row.id, {
      title: type.titleOf(live.content, name.key),
      draft: null,
      publishAt: null,
      version: row.version + 1,
      savedAt: shop.now(),
      savedBy: by.name,
    })
  })
}

/** A draft that is replaced stays in the history. */
async function keepDraft(db: Db, row: DocumentRow, by: Author, at: RealTime): Promise<void> {
  if (row.draft)
    await insertVersion(db, { documentId: row.id, content: row.draft, what: 'draft', at, by: by.name })
}

/** Publishes the draft, in one transaction that also renews the public answers. @throws 409, 422 with what is missing */
export async function publishDocument(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Author,
  name: DocumentName,
  { version }: { readonly version?: number } = {},
): Promise<number> {
  const { row, content, missing } = await openDocument(shop, name)
  if (row && version !== undefined) refuseOlder(row, version)
  if (missing.length > 0)
    throw new Refusal('refused', missing[0]!.words, {
      violations: missing.map(({ field, words }) => ({ propertyPath: field, message: words })),
    })
  const title = typeOf(name.kind).titleOf(content, name.key)
  const { entry } = await act(shop, by, {
    kind: 'content publish',
    about: aboutOf(name),
    what: `Published “${title}”`,
    carryOut: () => makePublic(shop, by, name, content, version),
  })
  await refreshSearch(shop.db)
  return entry
}

const makePublic = (
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Author,
  name: DocumentName,
  content: Content,
  version?: number,
): Promise<number> =>
  shop.db.transaction(async (tx) => {
    const { type, live, row } = await lockOrMake(tx, name, shop)
    if (version !== undefined) refuseOlder(row, version)
    const at = shop.now()
    // The first version is what the folder had brought.
    if (live && !live.isProposal && !(await selectLastPublished(tx, row.id)))
      await insertVersion(tx, {
        documentId: row.id,
        content: live.content,
        what: 'published',
        at: row.savedAt ?? at,
        by: 'The folder',
      })
    await type.write(tx, name.key, content, at)
    await type.follow?.(tx, shop)
    const shown = (await type.read(tx, name.key))!.content
    const id = await insertVersion(tx, {
      documentId: row.id,
      content: shown,
      what: 'published',
      at,
      by: by.name,
    })
    await updateDocument(tx, row.id, {
      title: type.titleOf(shown, name.key),
      draft: null,
      publishAt: null,
      binnedAt: null,
      setHereAt: row.setHereAt ?? at,
      version: row.version + 1,
      savedAt: at,
      savedBy: by.name,
    })
    await notifyInstances(tx)
    return id
  })

/** @param at null cancels the scheduled publication */
export async function scheduleDocument(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Staff,
  name: DocumentName,
  { at, version, words }: { readonly at: Date | null; readonly version?: number; readonly words: string },
): Promise<number> {
  if (at && at <= shop.now()) throw refused('That time is past. Publish it now, or choose a later time.')
  const { row, content, missing } = await openDocument(shop, name)
  if (row && version !== undefined) refuseOlder(row, version)
  if (at && missing.length > 0)
    throw new Refusal('refused', missing[0]!.words, {
      violations: missing.map(({ field, words: message }) => ({ propertyPath: field, message })),
    })
  const title = typeOf(name.kind).titleOf(content, name.key)
  const { entry } = await act(shop, by, {
    kind: 'content schedule',
    about: aboutOf(name),
    what: at ? `“${title}” will be published ${words}` : `“${title}” is no longer published by itself`,
    before: row?.publishAt?.toISOString() ?? null,
    after: at?.toISOString() ?? null,
    carryOut: () =>
      shop.db.transaction(async (tx) => {
        const { row: locked } = await lockOrMake(tx, name, shop)
        if (version !== undefined) refuseOlder(locked, version)
        await updateDocument(tx, locked.id, { publishAt: at, draft: content, savedBy: by.name })
      }),
  })
  return entry
}

/** Job: publishes what is due. One that can't be published any more keeps its draft and loses its time. */
export async function publishDue(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config' | 'log'>,
): Promise<number> {
  const due = await selectDueDocuments(shop.db, shop.now())
  for (const { id, kind, key, savedBy } of due) {
    try {
      await publishDocument(shop, { staffId: null, name: savedBy ?? 'the schedule' }, { kind, key })
    } catch (error) {
      shop.log.warn({ err: error, document: id }, 'a scheduled document could not be published')
      await updateDocument(shop.db, id, { publishAt: null })
    }
  }
  return due.length
}

/** Into the bin. The folder doesn't bring it back. */
export async function retireDocument(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Staff,
  name: DocumentName,
): Promise<number> {
  const type = typeOf(name.kind)
  if (!type.remove) throw refused('The shop always has this. Hide parts of it instead.')
  const { row: found, content } = await openDocument(shop, name)
  if (found?.binnedAt) throw refused('It is in the bin already.')
  const { entry } = await act(shop, by, {
    kind: 'content retire',
    about: aboutOf(name),
    what: `Put “${type.titleOf(content, name.key)}” into the bin`,
    carryOut: () =>
      shop.db.transaction(async (tx) => {
        const { live, row } = await lockOrMake(tx, name, shop)
        const at = shop.now()
        if (live?.isShown)
          await insertVersion(tx, {
            documentId: row.id,
            content: live.content,
            what: 'published',
            at,
            by: by.name,
          })
        await type.remove!(tx, name.key)
        await type.follow?.(tx, shop)
        await updateDocument(tx, row.id, {
          binnedAt: at,
          publishAt: null,
          setHereAt: row.setHereAt ?? at,
          version: row.version + 1,
          savedBy: by.name,
        })
        await notifyInstances(tx)
      }),
  })
  return entry
}

/** A draft comes back as a draft, and what the shop showed is shown again. */
export async function putBackDocument(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Author,
  name: DocumentName,
): Promise<number> {
  const type = typeOf(name.kind)
  const { row: found, content } = await openDocument(shop, name)
  if (!found?.binnedAt) throw refused('It isn’t in the bin.')
  const { entry } = await act(shop, by, {
    kind: 'content put-back',
    about: aboutOf(name),
    what: `Put “${type.titleOf(content, name.key)}” back from the bin`,
    carryOut: () =>
      shop.db.transaction(async (tx) => {
        const { row } = await lockOrMake(tx, name, shop)
        const shown = await selectLastPublished(tx, row.id)
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was published
        if (shown) await type.write(tx, name.key, shown.content as Content, shop.now())
        await type.follow?.(tx, shop)
        await updateDocument(tx, row.id, { binnedAt: null, version: row.version + 1, savedBy: by.name })
        await notifyInstances(tx)
      }),
  })
  await refreshSearch(shop.db)
  return entry
}

/** An older version becomes the draft. @throws 404, 409 */
export async function restoreVersion(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Staff,
  name: DocumentName,
  { id, version }: { readonly id: number; readonly version: number },
): Promise<void> {
  await shop.db.transaction(async (tx) => {
    const { type, live, row } = await lockOrMake(tx, name, shop)
    refuseOlder(row, version)
    const found = await selectVersion(tx, row.id, id)
    if (!found) throw notFound()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked when it was saved
    const content = found.content as Content
    await keepDraft(tx, row, by, shop.now())
    await updateDocument(tx, row.id, {
      title: type.titleOf(content, name.key),
      draft: isDeepStrictEqual(content, live?.content) ? null : content,
      version: version + 1,
      savedAt: shop.now(),
      savedBy: by.name,
    })
  })
}

/** Publishes what the folder says. From then on the folder decides again. */
export async function useFolder(
  shop: Pick<Shop, 'db' | 'now' | 'clock' | 'config'>,
  by: Staff,
  name: DocumentName,
): Promise<number> {
  const row = await selectDocument(shop.db, name.kind, name.key)
  if (!row?.setHereAt) throw refused('The folder decides already.')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored by the import
  const folder = row.folder as Content | null
  const { entry } = await act(shop, by, {
    kind: 'content folder',
    about: aboutOf(name),
    what: `Took the folder’s “${row.title}”`,
    carryOut: async () => {
      if (folder) await makePublic(shop, by, name, folder)
      await updateDocument(shop.db, row.id, { setHereAt: null, folder: null, binnedAt: null })
    },
  })
  await refreshSearch(shop.db)
  return entry
}

/**
 * Publishes what the shop showed before the last publication. If that was the first, a month is a draft again, and
 * others go into the bin.
 */
export async function takeBackPublication(shop: Shop, by: StaffCaller, name: DocumentName): Promise<void> {
  const row = await selectDocument(shop.db, name.kind, name.key)
  if (!row) throw notFound()
  const [, before] = await selectPublished(shop.db, row.id, 2)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was published
  if (before) await makePublic(shop, by, name, before.content as Content)
  else if (name.kind === 'month') await makeDraftAgain(shop, by, name)
  else await retireDocument(shop, by, name)
  await refreshSearch(shop.db)
}

const makeDraftAgain = (shop: Shop, by: StaffCaller, name: DocumentName): Promise<void> =>
  shop.db.transaction(async (tx) => {
    const { type, live, row } = await lockOrMake(tx, name, shop)
    await type.remove?.(tx, name.key)
    await type.follow?.(tx, shop)
    await updateDocument(tx, row.id, {
      draft: row.draft ?? live?.content,
      setHereAt: null,
      version: row.version + 1,
      savedAt: shop.now(),
      savedBy: by.name,
    })
  })

export const aboutOf = ({ kind, key }: DocumentName): string => `${kind} ${key}`

export function nameIn(about: string): DocumentName {
  const [kind = '', key = ''] = about.split(' ')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `aboutOf`
  return { kind: kind as DocumentKind, key }
}
