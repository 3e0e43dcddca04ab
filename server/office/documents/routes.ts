import { DateTime } from 'luxon'
import * as contract from '#contract/office/documents.ts'
import { DAY_MS } from '#contract/durations.ts'
import { DOCUMENT_TYPES } from '../../features/documents/kinds.ts'
import {
  forgetPresence,
  notePresence,
  selectDocument,
  selectLastPublished,
  selectMonthDrafts,
  selectOthers,
  selectVersions,
} from '../../features/documents/queries.ts'
import * as service from '../../features/documents/service.ts'
import { notFound, refused, unreadable } from '../../http/http-errors.ts'
import { pagePolicy } from '../../http/security-headers.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import type { Renderer } from '../../pages/renderer.ts'
import { minute } from '../../settings/days.ts'
import { mediaOrigin } from '../../settings/media-settings.ts'
import { listMonths, monthNow, startOfMonth } from '../../features/catalogue/months.ts'
import { slugOf } from '../../features/catalogue/names.ts'
import { pageTemplates } from '../../features/shop-details/draft-pages.ts'
import { exportList } from '../csv.ts'
import { readParts } from '../list-query.ts'
import { readPlace, writePlace } from '../keyset.ts'
import { markedTitles } from './marked-titles.ts'
import { answersWith } from './preview.ts'
import {
  BIN_DAYS,
  countPieces,
  findTitles,
  isPiecesBy,
  type ListedRow,
  PLACE_VALUES,
  selectChoices,
  selectPages,
  selectPieces,
  selectTitlesBySlug,
} from './queries.ts'

export function registerDocuments(server: ApiServer, renderer: Renderer | undefined): void {
  const { shop } = server
  const { db } = shop

  serve(server, contract.listPieces, async ({ query }) => {
    const { after, limit = 50, sort = '-at', part, ...filters } = query
    const filter = { ...filters, now: shop.now() }
    const order = pieceOrder(sort)
    const page = {
      ...order,
      after: readPlace(after, { value: PLACE_VALUES[order.by], id: 'whole' }),
      limit: limit + 1,
    }
    const [found, totals] = await readParts(
      part,
      () => selectPieces(db, filter, page),
      async () => ({ total: await countPieces(db, filter), sums: {} }),
    )
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      rows: rows.map(listed),
      next: last ? writePlace({ value: last.value, id: String(last.id) }) : null,
      ...totals,
    }
  })
  serve(server, contract.exportPieces, async ({ query: { sort = '-at', ...filters }, ...call }) => {
    const filter = { ...filters, now: shop.now() }
    const order = pieceOrder(sort)
    return exportList(shop, call, {
      list: 'journal',
      count: await countPieces(db, filter),
      fetchPage: (after, limit) => selectPieces(db, filter, { ...order, after, limit }),
      placeOf: ({ id, value }) => ({ id: String(id), value }),
      head: ['Title', 'Kind', 'Author', 'State', 'Published', 'Address', 'Saved', 'By'],
      cells: (row) => [
        row.title,
        row.kind,
        row.author ?? '',
        row.state,
        row.at ?? '',
        row.key,
        row.savedAt ?? '',
        row.savedBy ?? '',
      ],
    })
  })
  serve(server, contract.listPages, async () => {
    const documents = (await selectPages(db, shop.now())).map(listed)
    const keys = new Set(documents.flatMap(({ kind, key }) => (kind === 'page' ? [key] : [])))
    const templates = await pageTemplates(shop.config.details.file)
    return {
      documents,
      toWrite: templates
        .filter(({ slug }) => !keys.has(slug))
        .map(({ slug, title }) => ({ key: slug, title })),
    }
  })

  serve(server, contract.listMonths, async () => {
    const { months, isPlanned } = await listMonths(shop)
    const drafts = new Map((await selectMonthDrafts(db)).map((row) => [row.key, row]))
    return {
      isPlanned,
      months: months.map((month) => ({
        ...month,
        hasDraft: drafts.get(month.month)?.hasDraft ?? false,
        savedBy: drafts.get(month.month)?.savedBy ?? null,
      })),
    }
  })

  const documentReply = async (name: service.DocumentName) => {
    const { row, isLive, isStored, content, published, missing } = await service.openDocument(shop, name)
    const type = DOCUMENT_TYPES[name.kind]
    const publishedAt = published?.publishedAt
    const state = monthState(name, { row, isStored }) ?? stateOf(row, { isLive, isStored })
    return {
      ...name,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- opened as this kind
      title: type.titleOf(content as never, name.key),
      author: null,
      state,
      hasDraft: row?.draft != null,
      at: row?.publishAt?.toISOString() ?? (typeof publishedAt === 'string' ? publishedAt : null),
      savedAt: row?.savedAt?.toISOString() ?? null,
      savedBy: row?.savedBy ?? null,
      isSetHere: row?.setHereAt != null,
      folderDiffers: row?.folder != null,
      goneAt: goneAt(row?.binnedAt ?? null),
      version: row?.version ?? 0,
      content,
      published,
      missing: [...missing],
      publishAt:
        (name.kind === 'month' && state === 'scheduled'
          ? startOfMonth(name.key, shop)
          : row?.publishAt
        )?.toISOString() ?? null,
      address: type.addressOf(name.key),
    }
  }
  const done = async (name: service.DocumentName, entry: number) => ({
    entry,
    document: await documentReply(name),
  })

  /** A month is published before it begins. */
  const monthState = (
    { kind, key }: service.DocumentName,
    { row, isStored }: Pick<service.OpenedDocument, 'row' | 'isStored'>,
  ): contract.DocumentState | undefined => {
    if (kind !== 'month' || row?.binnedAt || key <= monthNow(shop)) return undefined
    return isStored && row?.setHereAt ? 'scheduled' : 'draft'
  }

  serve(server, contract.getDocument, ({ params }) => documentReply(params))
  serve(server, contract.startDocument, async ({ body: { kind, title, template }, staff }) => {
    if (template !== undefined) {
      const page = (await pageTemplates(shop.config.details.file)).find(({ slug }) => slug === template)
      if (!page || kind !== 'page') throw notFound('There is no draft text for this page.')
      return service.startDocument(shop, staff, { kind, ...page, title: title.trim(), hasFixedAddress: true })
    }
    const slug = slugOf(title)
    if (slug === '') throw refused('The title needs a letter from a to z, for its address.')
    return service.startDocument(shop, staff, { kind, title: title.trim(), slug })
  })
  serve(server, contract.saveDraft, async ({ params, body, staff }) => {
    const { savedAt, ...saved } = await service.saveDraft(shop, staff, params, body)
    return { ...saved, savedAt: savedAt.toISOString() }
  })
  serve(server, contract.discardDraft, async ({ params, staff }) => {
    await service.discardDraft(shop, staff, params)
    return documentReply(params)
  })
  serve(server, contract.publishDocument, async ({ params, body, staff }) =>
    done(params, await service.publishDocument(shop, staff, params, body)),
  )
  serve(server, contract.scheduleDocument, async ({ params, body: { version, at }, staff }) => {
    const moment = at === null ? null : instantIn(at, shop.config.shopZone)
    const words = moment ? `on ${minute(moment, shop.config.shopZone)}` : ''
    return done(params, await service.scheduleDocument(shop, staff, params, { version, at: moment, words }))
  })
  serve(server, contract.retireDocument, async ({ params, staff }) =>
    done(params, await service.retireDocument(shop, staff, params)),
  )
  serve(server, contract.putBackDocument, async ({ params, staff }) =>
    done(params, await service.putBackDocument(shop, staff, params)),
  )
  serve(server, contract.useFolder, async ({ params, staff }) =>
    done(params, await service.useFolder(shop, staff, params)),
  )
  serve(server, contract.listVersions, async ({ params: { kind, key } }) => {
    const row = await selectDocument(db, kind, key)
    if (!row) return { versions: [] }
    const [versions, current] = await Promise.all([
      selectVersions(db, row.id),
      selectLastPublished(db, row.id),
    ])
    return {
      versions: versions.map(({ at, ...version }) => ({
        ...version,
        at: at.toISOString(),
        isCurrent: version.id === current?.id,
      })),
    }
  })
  serve(server, contract.restoreVersion, async ({ params, body, staff }) => {
    await service.restoreVersion(shop, staff, params, body)
    return documentReply(params)
  })

  serve(server, contract.previewDocument, async ({ params, request, reply }) => {
    const { content } = await service.openDocument(shop, params)
    if (!renderer) throw notFound('This server was started without the shop’s pages.')
    const visitor = { country: server.visitors.countryOf(request), address: request.ip }
    const answers = await answersWith(shop, params, content, visitor)
    const { page } = await renderer.render(
      DOCUMENT_TYPES[params.kind].addressOf(params.key),
      visitor,
      answers,
    )
    if (!page) throw notFound()
    const policy = pagePolicy({
      scripts: [],
      styles: page.inlineStyles,
      development: renderer.development,
      media: mediaOrigin(shop.config.media),
    })
    await reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-store')
      .header('x-frame-options', 'SAMEORIGIN')
      // Only the office shows it, and nothing in it runs.
      .header(
        'content-security-policy',
        `${policy.replace(/script-src [^;]*/, "script-src 'none'").replace("frame-ancestors 'none'", "frame-ancestors 'self'")}; sandbox allow-same-origin`,
      )
      .send(withoutScripts(page.html))
    return undefined
  })

  serve(server, contract.listChoices, () => selectChoices(db))
  serve(server, contract.findTitles, async ({ query: { words = '', ebooks = false, slugs } }) => ({
    titles: slugs ? await selectTitlesBySlug(db, slugs) : await findTitles(db, words, ebooks),
  }))

  serve(server, contract.listMarkedTitles, () => markedTitles(shop))

  serve(server, contract.notePresence, async ({ body: { thing, isTyping, hasLeft }, staff }) => {
    const who = { thing, staffId: staff.staffId, now: shop.now() }
    if (hasLeft) await forgetPresence(db, thing, staff.staffId)
    else await notePresence(db, { ...who, isTyping })
    return { others: await selectOthers(db, who) }
  })
}

const stateOf = (
  row: Awaited<ReturnType<typeof service.openDocument>>['row'],
  { isLive, isStored }: { readonly isLive: boolean; readonly isStored: boolean },
): contract.DocumentState =>
  row?.binnedAt ? 'binned' : row?.publishAt ? 'scheduled' : isLive ? 'live' : isStored ? 'hidden' : 'draft'

/** Not needed to look at it, and its browser would log each as refused. */
const withoutScripts = (html: string): string =>
  html.replaceAll(/<script\b[\s\S]*?<\/script>|<link rel="(?:modulepreload|stylesheet|manifest)"[^>]*>/g, '')

const goneAt = (binnedAt: Date | string | null): string | null =>
  binnedAt === null ? null : new Date(new Date(binnedAt).getTime() + BIN_DAYS * DAY_MS).toISOString()

function pieceOrder(sort: string) {
  const by = sort.replace(/^-/, '')
  if (!isPiecesBy(by)) throw unreadable('sort: The Journal isn’t ordered by that.')
  return { by, isDescending: sort.startsWith('-') }
}

const listed = ({ id: _id, value: _value, binnedAt, ...row }: ListedRow) => ({
  ...row,
  goneAt: goneAt(binnedAt),
})

function instantIn(local: string, zone: string): Date {
  const at = DateTime.fromISO(local, { zone })
  if (!at.isValid) throw unreadable('at: This is no time.')
  return at.toJSDate()
}
